package measure

import (
	"errors"
	"runtime"
	"testing"
)

// burn touches every page of a lot of memory until it has used enough time.
func burn(memory []byte) {
	for start, _ := usage(); ; {
		for i := 0; i < len(memory); i += 1 << 10 {
			memory[i]++
		}
		if now, _ := usage(); now-start >= burnt {
			return
		}
	}
}

func TestSelfTellsWhatIsKeptFromWhatIsGarbage(t *testing.T) {
	const kept = 8 << 20
	burn(make([]byte, 1<<20)) // memory that was used before does not count
	before, _ := usage()
	cost, err := Self(func() (any, error) {
		burn(make([]byte, held))
		runtime.GC() // so that only sampling meanwhile has seen it
		return make([]byte, kept), nil
	})
	after, _ := usage()
	if err != nil {
		t.Fatal(err)
	}
	if cost.CPU < burnt || cost.CPU > after-before || cost.Wall <= 0 {
		t.Errorf("got %+v, want at least %v of CPU and no more than %v", cost, burnt, after-before)
	}
	if cost.Bytes < kept+held || cost.Allocs < 2 {
		t.Errorf("got %d bytes in %d allocations, want at least %d in 2", cost.Bytes, cost.Allocs, kept+held)
	}
	if cost.PeakHeap < held || cost.PeakRSS < held {
		t.Errorf("got a peak of %d bytes, %d resident, want at least %d", cost.PeakHeap, cost.PeakRSS, held)
	}
	if cost.LiveHeap < kept || cost.LiveHeap >= held {
		t.Errorf("got %d live bytes, want the retained %d and little else", cost.LiveHeap, kept)
	}
}

func TestSelfReturnsTheErrorOfTheFunction(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Self(func() (any, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got error %v", err)
	}
}
