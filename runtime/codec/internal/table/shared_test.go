package table

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/scan"
)

// TestTextsGrow holds that the table grows with the strings that come, up to its limit, and keeps most of them.
func TestTextsGrow(t *testing.T) {
	var known texts
	get := func(i int) bool {
		s := fmt.Appendf(nil, "text %d", i)
		got, came := known.get(s, scan.Hash(s), mostStrings)
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

// TestPartsGuess holds that texts that follow each other are guessed, and forgotten texts are not.
func TestPartsGuess(t *testing.T) {
	var known parts
	text := func(i int) []byte { return fmt.Appendf(nil, `{"f:%d":{}}`, i) }
	guessed := func(n int) (count int) {
		for i := range n {
			if p := known.guess(append(text(i), `,"x":1}`...)); p != nil {
				if string(p.raw) != string(text(i)) {
					t.Fatalf("guess %s, want %s", p.raw, text(i))
				}
				count++
			} else if p := known.note(text(i)); string(p.raw) != string(text(i)) {
				t.Fatalf("note %s, want %s", p.raw, text(i))
			}
		}
		return count
	}
	guessed(4)
	guessed(4)
	if n := guessed(4); n != 4 {
		t.Errorf("%d of 4 texts are guessed", n)
	}
	guessed(10_000)
	if n := len(known.entries); n != mostParts {
		t.Errorf("%d entries, want %d", n, mostParts)
	}
	if known.note([]byte(`"text"`)) != nil || known.note(append([]byte(`{"`), make([]byte, longestPart)...)) != nil {
		t.Error("a text that is no object, or is long, is remembered")
	}
}

// TestMapsGet holds that only maps with the same pairs in the same order are one.
func TestMapsGet(t *testing.T) {
	var known maps
	a, came := known.get([]pair{{"a", "1"}, {"b", "2"}}, 7)
	if came || len(a) != 2 || a["b"] != "2" {
		t.Errorf("%v, %v", a, came)
	}
	if _, came = known.get([]pair{{"a", "1"}, {"b", "2"}}, 7); !came {
		t.Error("the same pairs are not known")
	}
	if b, came := known.get([]pair{{"a", "1"}, {"b", "3"}}, 7); came || b["b"] != "3" {
		t.Errorf("other pairs of the same hash: %v, %v", b, came)
	}
	for i := range uint64(20_000) {
		known.get([]pair{{"k", fmt.Sprint(i)}}, scan.Hash(fmt.Appendf(nil, "%d", i)))
	}
	if n := len(known.entries); n != mostMaps {
		t.Errorf("%d entries, want %d", n, mostMaps)
	}
}

// TestWorth checks that the decoder soon looks up only a sample of the strings of a field where none repeats.
func TestWorth(t *testing.T) {
	var s slot
	for range 100 {
		s.missed()
	}
	looked := 0
	for i := range 1600 {
		if s.worth(scan.Hash(fmt.Appendf(nil, "%d", i))) {
			looked++
		}
	}
	if looked < 50 || looked > 200 {
		t.Errorf("%d of 1,600 are looked up, want about 100", looked)
	}
	for range 100 {
		s.hit()
	}
	if !s.worth(sampled) {
		t.Error("strings that repeat are not looked up")
	}
}

// TestLongMapsAreNotShared holds that maps with long values are not remembered.
func TestLongMapsAreNotShared(t *testing.T) {
	type labelled struct{ Labels map[string]string }
	for _, c := range []struct {
		length int
		shared bool
	}{{longestString, true}, {longestString + 1, false}} {
		d := &Decoder{Learn: All, Share: true}
		text := []byte(`{"Labels":{"a":"b","c":"` + strings.Repeat("x", c.length) + `"}}`)
		var got [3]labelled
		for i := range got {
			if next := d.Object(text, 0, Of(reflect.TypeFor[labelled]()), reflect.ValueOf(&got[i])); next != len(text) || len(got[i].Labels) != 2 {
				t.Fatalf("%d, %v", next, got[i])
			}
		}
		if shared := reflect.ValueOf(got[1].Labels).Pointer() == reflect.ValueOf(got[2].Labels).Pointer(); shared != c.shared {
			t.Errorf("values of %d bytes: the maps are one: %v", c.length, shared)
		}
	}
}
