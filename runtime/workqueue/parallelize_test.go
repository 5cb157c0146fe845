package workqueue_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

func TestParallelizeUntil(t *testing.T) {
	tests := []struct{ workers, pieces, chunk, atOnce int }{
		{workers: 1, pieces: 0, atOnce: 0},
		{workers: 1, pieces: -1, atOnce: 0},
		{workers: 0, pieces: 3, atOnce: 0},
		{workers: 1, pieces: 10, atOnce: 1},
		{workers: 4, pieces: 10, atOnce: 4},
		{workers: 40, pieces: 10, atOnce: 10},
		{workers: 4, pieces: 1000, chunk: 1, atOnce: 4},
		{workers: 4, pieces: 1000, chunk: 0, atOnce: 4},
		{workers: 4, pieces: 1000, chunk: -1, atOnce: 4},
		{workers: 4, pieces: 1000, chunk: 7, atOnce: 4},
		{workers: 4, pieces: 21, chunk: 7, atOnce: 3},
		{workers: 4, pieces: 22, chunk: 7, atOnce: 4},
		{workers: 4, pieces: 10, chunk: 100, atOnce: 1},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d workers, %d pieces, chunks of %d", test.workers, test.pieces, test.chunk), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				done := make([]atomic.Int32, max(test.pieces, 0))
				var working atomic.Int32
				begin := make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() {
					workqueue.ParallelizeUntil(t.Context(), test.workers, test.pieces, func(piece int) {
						working.Add(1)
						<-begin
						done[piece].Add(1)
					}, workqueue.WithChunkSize(test.chunk))
				})
				synctest.Wait()
				if got := int(working.Load()); got != test.atOnce {
					t.Errorf("%d pieces are processed concurrently, want %d", got, test.atOnce)
				}
				close(begin)
				all.Wait()
				want := int32(1)
				if test.workers == 0 {
					want = 0
				}
				for piece := range done {
					if got := done[piece].Load(); got != want {
						t.Errorf("piece %d was done %d times, want %d", piece, got, want)
					}
				}
			})
		})
	}
}

func TestParallelizeUntilContextIsDone(t *testing.T) {
	for _, chunk := range []int{1, 10} {
		t.Run(fmt.Sprintf("chunks of %d", chunk), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := 0
			workqueue.ParallelizeUntil(ctx, 1, 100, func(piece int) {
				done++
				if piece == 4 {
					cancel()
				}
			}, workqueue.WithChunkSize(chunk))
			if done != 5 {
				t.Errorf("%d pieces were done, want 5", done)
			}
		})
	}
}

func TestParallelizeUntilWithoutContext(t *testing.T) {
	var done atomic.Int32
	//nolint:staticcheck // a nil context is allowed
	workqueue.ParallelizeUntil(nil, 3, 10, func(int) { done.Add(1) })
	if done.Load() != 10 {
		t.Errorf("%d pieces were done, want 10", done.Load())
	}
}

func TestParallelizeUntilPanics(t *testing.T) {
	really, handlers := utilruntime.ReallyCrash, utilruntime.PanicHandlers
	defer func() { utilruntime.ReallyCrash, utilruntime.PanicHandlers = really, handlers }()
	var panics atomic.Int32
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = []func(context.Context, any){func(context.Context, any) { panics.Add(1) }}

	var done atomic.Int32
	workqueue.ParallelizeUntil(t.Context(), 2, 10, func(piece int) {
		if piece == 3 {
			panic("three")
		}
		done.Add(1)
	})
	if done.Load() != 9 || panics.Load() != 1 {
		t.Errorf("%d pieces were done with %d panics, want 9 with 1", done.Load(), panics.Load())
	}
}
