package intern

import (
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// TestTextsGrow holds that the table grows with the strings that come, up to its limit, and keeps most of them.
func TestTextsGrow(t *testing.T) {
	var known texts
	get := func(i int) bool {
		s := fmt.Appendf(nil, "text %d", i)
		got, came := known.get(s, jsonscan.Hash(s), mostStrings)
		if came && got != string(s) {
			t.Fatalf("%q is %q", s, got)
		}
		return came
	}
	for i := range 20 {
		get(i % 10)
	}
	if n := len(known.entries); n != firstEntries {
		t.Errorf("%d entries for 10 strings", n)
	}
	came := 0
	for range 20 {
		came = 0
		for i := range 1000 {
			if get(i) {
				came++
			}
		}
	}
	if came < 700 {
		t.Errorf("%d of 1,000 strings came before, in %d entries", came, len(known.entries))
	}
	for i := range 100_000 {
		get(i / 2)
	}
	if n := len(known.entries); n != mostStrings {
		t.Errorf("%d entries, want %d", n, mostStrings)
	}
}
