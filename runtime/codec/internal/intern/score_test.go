package intern

import (
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// TestWorth checks that the decoder soon looks up only a sample of the strings of a field where none repeats.
func TestWorth(t *testing.T) {
	var s Score
	for range 100 {
		s.Count(false)
	}
	looked := 0
	for i := range 1600 {
		if s.Worth(jsonscan.Hash(fmt.Appendf(nil, "%d", i))) {
			looked++
		}
	}
	if looked < 50 || looked > 200 {
		t.Errorf("%d of 1,600 are looked up, want about 100", looked)
	}
	for range 100 {
		s.Count(true)
	}
	if !s.Worth(sampled) {
		t.Error("strings that repeat are not looked up")
	}
}

// TestDue checks that the decoder soon looks up only a sample of the parts of a field where none repeats.
func TestDue(t *testing.T) {
	var s Score
	for range 100 {
		s.Count(false)
	}
	looked := 0
	for range 1600 {
		if s.Due() {
			looked++
		}
	}
	if looked != 100 {
		t.Errorf("%d of 1,600 are looked up, want 100", looked)
	}
	for range 100 {
		s.Count(true)
	}
	if !s.Due() {
		t.Error("parts that repeat are not looked up")
	}
}
