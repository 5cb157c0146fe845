package parallel_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/parallel"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		calls := make([]atomic.Int32, n)
		parallel.Each(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("%d of %d: called %d times", i, n, got)
			}
		}
	}
}

// TestPanic checks that a panic reaches the caller, after all other calls.
func TestPanic(t *testing.T) {
	var calls atomic.Int32
	defer func() {
		text := fmt.Sprint(recover())
		if !strings.HasPrefix(text, "seven\n") || !strings.Contains(text, "parallel_test.go:") {
			t.Errorf("got %s", text)
		}
		if got := calls.Load(); got != 100 {
			t.Errorf("%d calls", got)
		}
	}()
	parallel.Each(100, func(i int) {
		calls.Add(1)
		if i == 7 {
			panic("seven")
		}
	})
	t.Error("no panic")
}
