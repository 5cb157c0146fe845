package intern

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// TestValues holds that a value is kept when its text comes for the second time, that values of different types with one
// text do not take each other's place, and that there is a limit.
func TestValues(t *testing.T) {
	s := Stream{Level: All, Share: true}
	kinds := []*Kind{KindOf(reflect.TypeFor[[]int32]()), KindOf(reflect.TypeFor[[]int64]())}
	var scores [2]Score
	made := []memory.Place{memory.New(reflect.TypeFor[int32]()), memory.New(reflect.TypeFor[int64]())}
	want := []Finding{{}, {Again: true}, {Found: true, Len: 1}, {Found: true, Len: 1}}
	for i, want := range want {
		for k, kind := range kinds {
			got := s.Find(kind, []byte("[1]"), &scores[k])
			if got.Found != want.Found || got.Again != want.Again || got.Len != want.Len || got.Found && got.Made != made[k] {
				t.Errorf("kind %d, time %d: %+v, want %+v", k, i, got, want)
			}
			if got.Again {
				s.Keep(got, kind, []byte("[1]"), made[k], 1)
			}
		}
	}
	long, score := make([]byte, longestValue+1), Score{}
	for range 100 {
		if got := s.Find(kinds[0], long, &score); got.Again || got.Found {
			t.Errorf("a long text: %+v", got)
		}
	}
	if score.Due() {
		t.Error("where texts are too long to be remembered, each is looked up")
	}
	for i := range 100_000 {
		raw := fmt.Appendf(nil, "[%d]", i/2)
		if got := s.Find(kinds[0], raw, &scores[0]); got.Again {
			s.Keep(got, kinds[0], raw, made[0], 1)
		}
	}
	if n := len(s.values.entries); n != mostValues {
		t.Errorf("%d entries, want %d", n, mostValues)
	}
}

// TestValuesStaySmall holds that texts that never come again do not make the table grow.
func TestValuesStaySmall(t *testing.T) {
	var s Stream
	var score Score
	for i := range 100_000 {
		s.Find(KindOf(reflect.TypeFor[[]int32]()), fmt.Appendf(nil, "[%d]", i), &score)
	}
	if n := len(s.values.entries); n > 2*firstEntries {
		t.Errorf("%d entries though nothing came again", n)
	}
}
