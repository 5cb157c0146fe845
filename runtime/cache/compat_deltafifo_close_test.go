package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestDeltaFIFOClose(t *testing.T) {
	put := func(f *cache.DeltaFIFO) error {
		return errors.Join(f.Add(parcel{"a", 1}), f.Replace([]any{parcel{"b", 1}, parcel{"c", 1}}, "1"), f.Add(parcel{"d", 1}))
	}
	none := func(any, bool) error { return nil }

	t.Run("drains", func(t *testing.T) {
		f := cache.NewDeltaFIFO(parcelKey, newShelf())
		must(t, put(f))
		if got := len(drain(t, f, newShelf())); got != 4 {
			t.Errorf("%d deltas, want 4", got)
		}
		if !f.IsClosed() {
			t.Error("not closed")
		}
	})
	t.Run("drops", func(t *testing.T) {
		f := cache.NewDeltaFIFO(parcelKey, newShelf())
		must(t, put(f))
		for range 2 { // the second leaves a list taken out in part
			if _, err := f.Pop(none); err != nil {
				t.Fatal(err)
			}
		}
		f.CloseAndDrop()
		if got, err := f.Pop(none); !errors.Is(err, cache.ErrFIFOClosed) {
			t.Errorf("Pop = %v, %v, want %v", got, err, cache.ErrFIFOClosed)
		}
		if err := f.PopBatch(nil, none); !errors.Is(err, cache.ErrFIFOClosed) {
			t.Errorf("PopBatch = %v, want %v", err, cache.ErrFIFOClosed)
		}
	})
	t.Run("lets nothing in", func(t *testing.T) {
		f := cache.NewDeltaFIFO(parcelKey, newShelf())
		f.Close()
		f.Close()
		a := parcel{"a", 1}
		for name, err := range map[string]error{
			"Add": f.Add(a), "Update": f.Update(a), "Delete": f.Delete(a),
			"Replace": f.Replace([]any{a}, "1"), "Resync": f.Resync(),
		} {
			if !errors.Is(err, cache.ErrFIFOClosed) {
				t.Errorf("%s: %v, want %v", name, err, cache.ErrFIFOClosed)
			}
		}
	})
	t.Run("wakes all waiting callers", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := cache.NewDeltaFIFO(parcelKey, newShelf())
			var waiting sync.WaitGroup
			for range 5 {
				waiting.Go(func() {
					if _, err := f.Pop(none); !errors.Is(err, cache.ErrFIFOClosed) {
						t.Errorf("Pop: %v, want %v", err, cache.ErrFIFOClosed)
					}
				})
			}
			synctest.Wait()
			f.Close()
			waiting.Wait()
		})
	})
}

func TestDeltaFIFOPopWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := cache.NewDeltaFIFO(parcelKey, newShelf())
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		none := func(any, bool) error { return errors.New("processed") }
		must(t, f.Add(parcel{"a", 1}))
		processing, proceed := make(chan struct{}), make(chan struct{})
		var waiting sync.WaitGroup
		waiting.Go(func() {
			_, err := f.Pop(func(any, bool) error { close(processing); <-proceed; return nil })
			if err != nil {
				t.Errorf("Pop: %v", err)
			}
		})
		<-processing // so that later callers wait for this one, not for the queue
		early, stop := context.WithCancelCause(t.Context())
		stop(cause)
		if _, err := f.PopWithContext(early, none); !errors.Is(err, cause) {
			t.Errorf("PopWithContext: %v, want %v", err, cause)
		}
		close(proceed)
		waiting.Wait()

		waiting.Go(func() {
			if _, err := f.PopWithContext(ctx, none); !errors.Is(err, cause) {
				t.Errorf("PopWithContext: %v, want %v", err, cause)
			}
		})
		waiting.Go(func() {
			if err := f.PopBatchWithContext(ctx, nil, none); !errors.Is(err, cause) {
				t.Errorf("PopBatchWithContext: %v, want %v", err, cause)
			}
		})
		synctest.Wait()
		cancel(cause)
		waiting.Wait()

		must(t, f.Add(parcel{"a", 1}))
		if got := len(drain(t, f, newShelf())); got != 1 {
			t.Errorf("%d deltas after that, want 1", got)
		}
	})
}

func TestDeltaFIFOProcessMayUseTheQueue(t *testing.T) {
	f := cache.NewDeltaFIFO(parcelKey, newShelf())
	must(t, f.Add(parcel{"a", 1}))
	_, err := f.Pop(func(any, bool) error {
		f.HasSynced()
		return errors.Join(f.Add(parcel{"b", 1}), f.Resync(), f.Replace(nil, "1"))
	})
	must(t, err)
	f.CloseAndDrop()
}
