package ctxlock_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/internal/ctxlock"
)

func TestMutex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mutex := ctxlock.New()
		ctx, cancel := context.WithCancel(t.Context())
		if err := mutex.LockContext(ctx); err != nil {
			t.Fatal(err)
		}
		var impatient, patient error
		taken := false
		go func() { impatient = mutex.LockContext(ctx) }()
		go func() {
			patient = mutex.LockContext(t.Context())
			taken = true
		}()
		synctest.Wait()
		if taken {
			t.Fatal("taken twice")
		}
		cancel()
		synctest.Wait()
		if !errors.Is(impatient, context.Canceled) {
			t.Errorf("wait ended with %v", impatient)
		}
		mutex.Unlock()
		synctest.Wait()
		if !taken || patient != nil {
			t.Errorf("taken is %v, with error %v", taken, patient)
		}
		mutex.Unlock()
		if err := mutex.LockContext(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("taken with an ended context: %v", err)
		}
	})
}
