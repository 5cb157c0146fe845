package workqueue

import (
	"context"
	"sync"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// DoWorkPieceFunc does the piece of work that has a number.
type DoWorkPieceFunc func(piece int)

// Options set how [ParallelizeUntil] works.
type Options func(*options)

type options struct {
	chunkSize int
}

// WithChunkSize has a worker take c pieces at a time, where it takes one otherwise. That pays if there
// are many small ones.
func WithChunkSize(c int) func(*options) {
	return func(o *options) { o.chunkSize = c }
}

// ParallelizeUntil does the pieces of work numbered from 0 to pieces-1, at most workers of them at a time. When
// the context is done, no further one is begun; a nil context never is. It returns when no worker is
// at work any more. A panic of doWorkPiece crashes the process, or ends one worker where
// [utilruntime.ReallyCrash] is false.
func ParallelizeUntil(ctx context.Context, workers, pieces int, doWorkPiece DoWorkPieceFunc, opts ...Options) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	chunk := max(o.chunkSize, 1)
	if ctx == nil {
		ctx = context.Background()
	}
	var taken atomic.Int64 // the number of chunks that a worker has taken
	var working sync.WaitGroup
	for range min(workers, chunks(pieces, chunk)) {
		working.Go(func() {
			defer utilruntime.HandleCrashWithContext(ctx)
			for {
				first := int(taken.Add(1)-1) * chunk
				if first >= pieces {
					return
				}
				for piece := first; piece < min(first+chunk, pieces); piece++ {
					if ctx.Err() != nil {
						return
					}
					doWorkPiece(piece)
				}
			}
		})
	}
	working.Wait()
}

// chunks returns how many chunks the pieces make.
func chunks(pieces, chunk int) int {
	if pieces <= 0 {
		return 0
	}
	return (pieces-1)/chunk + 1
}
