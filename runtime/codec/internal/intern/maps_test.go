package intern

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// TestMapsGet holds that only maps with the same pairs in the same order are one.
func TestMapsGet(t *testing.T) {
	var known maps
	a, came := known.get([]Pair{{"a", "1"}, {"b", "2"}}, 7)
	if came || len(a) != 2 || a["b"] != "2" {
		t.Errorf("%v, %v", a, came)
	}
	if _, came = known.get([]Pair{{"a", "1"}, {"b", "2"}}, 7); !came {
		t.Error("the same pairs are not known")
	}
	if b, came := known.get([]Pair{{"a", "1"}, {"b", "3"}}, 7); came || b["b"] != "3" {
		t.Errorf("other pairs of the same hash: %v, %v", b, came)
	}
	for i := range uint64(20_000) {
		known.get([]Pair{{"k", fmt.Sprint(i)}}, jsonscan.Hash(fmt.Appendf(nil, "%d", i)))
	}
	if n := len(known.entries); n != mostMaps {
		t.Errorf("%d entries, want %d", n, mostMaps)
	}
}

// TestLongMapsAreNotShared holds that maps with long values are not remembered.
func TestLongMapsAreNotShared(t *testing.T) {
	for _, c := range []struct {
		length int
		shared bool
	}{{longestString, true}, {longestString + 1, false}} {
		s := Stream{Level: All, Share: true}
		var score Score
		get := func() map[string]string {
			return s.Map([]Pair{{"a", "b"}, {"c", strings.Repeat("x", c.length)}}, 7, &score)
		}
		a, b := get(), get()
		if len(a) != 2 || len(b) != 2 {
			t.Errorf("%v and %v", a, b)
		}
		if shared := reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer(); shared != c.shared {
			t.Errorf("values of %d bytes: the maps are one: %v", c.length, shared)
		}
	}
}
