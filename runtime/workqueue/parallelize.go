package workqueue

import (
	"context"
	"sync"
	"sync/atomic"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// DoWorkPieceFunc processes the piece of work with this number.
type DoWorkPieceFunc func(piece int)

// Options configure [ParallelizeUntil].
type Options func(*options)

type options struct {
	chunkSize int
}

// WithChunkSize lets a worker take c pieces at a time instead of one, which is faster for many small pieces.
func WithChunkSize(c int) func(*options) {
	return func(o *options) { o.chunkSize = c }
}

// ParallelizeUntil processes the pieces of work numbered from 0 to pieces-1 with at most workers goroutines.
// When the context is done, no further piece is started; a nil context is never done. It returns when all
// workers have ended. A panic of doWorkPiece crashes the process, or ends one worker if
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
	var taken atomic.Int64 // chunks that workers have taken
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

// chunks returns the number of chunks of the pieces.
func chunks(pieces, chunk int) int {
	if pieces <= 0 {
		return 0
	}
	return (pieces-1)/chunk + 1
}
