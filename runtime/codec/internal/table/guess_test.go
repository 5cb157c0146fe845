package table

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
)

type named struct {
	Name  string
	Map   map[string]string
	Parts []named
}

func decodeNamed(t *testing.T, d *Decoder, text string) *named {
	t.Helper()
	out := new(named)
	if next := d.Object([]byte(text), 0, Of(reflect.TypeFor[named]()), reflect.ValueOf(out)); next != len(text) {
		t.Fatalf("%s: position %d", text, next)
	}
	return out
}

// TestGuess decodes strings after others of the same place that come again: guesses do not depend on what a string
// contains, but on how it is written.
func TestGuess(t *testing.T) {
	literals := []struct{ text, want string }{
		{`a\\n`, `a\n`}, {`a\n`, "a\n"}, {`a`, `a`}, {``, ``}, {`ab`, `ab`}, {`a\u0062`, `ab`}, {`é`, `é`}, {`\u00e9`, `é`},
		{"\xff", "\ufffd"}, {"\ufffd", "\ufffd"}, {`a\"b`, `a"b`}, {`some longer text`, `some longer text`},
	}
	for _, learn := range []intern.Level{intern.None, intern.Short, intern.All} {
		d := &Decoder{Stream: intern.Stream{Level: learn, Share: true}}
		for _, first := range literals {
			for _, second := range literals {
				for i := range 4 {
					l := first
					if i == 3 {
						l = second
					}
					got := decodeNamed(t, d, fmt.Sprintf(`{"Name":"%s","Map":{"%[1]s":"%[1]s"},"Parts":[{},{"Name":"%[1]s"}]}`, l.text))
					if got.Name != l.want || got.Map[l.want] != l.want || len(got.Map) != 1 || got.Parts[1].Name != l.want {
						t.Fatalf("%q after %q: %+v", l.text, first.text, got)
					}
				}
			}
		}
	}
}

// TestGuessOfElements holds that elements of a slice have guesses of their own, the first ones.
func TestGuessOfElements(t *testing.T) {
	d := &Decoder{Stream: intern.Stream{Level: intern.All}}
	text := `{"Parts":[`
	for i := range 20 {
		text += fmt.Sprintf(`{"Name":"part %d","Map":{"a":"%[1]d"}},`, i)
	}
	text = text[:len(text)-1] + "]}"
	for range 20 {
		for i, part := range decodeNamed(t, d, text).Parts {
			if part.Name != fmt.Sprintf("part %d", i) || part.Map["a"] != fmt.Sprint(i) {
				t.Errorf("part %d: %+v", i, part)
			}
		}
	}
	guesses := func() (all []string) {
		of := d.roots[Of(reflect.TypeFor[named]())].learned
		parts := Of(reflect.TypeFor[named]()).named("Parts")
		for l := of.sub(parts.elem); l != nil; l = l.next {
			all = append(all, l.slots[Of(reflect.TypeFor[named]()).named("Name").slot].guess.text)
		}
		return all
	}
	if got := guesses(); len(got) != mostGuessed || !slices.Equal(got[:2], []string{"part 0", "part 1"}) {
		t.Errorf("guesses: %q", got)
	}
	d.Forget()
	for _, guess := range guesses() {
		if guess != "" {
			t.Errorf("%q is not forgotten", guess)
		}
	}
}

// TestGuessOfNothing holds that a decoder that is to learn nothing neither remembers strings nor uses those of before.
func TestGuessOfNothing(t *testing.T) {
	d := &Decoder{Stream: intern.Stream{Level: intern.All}}
	const text = `{"Name":"some text","Map":{"some key":"some value"}}`
	var before *named
	for range 3 {
		before = decodeNamed(t, d, text)
	}
	d.Stream.Level = intern.None
	after := decodeNamed(t, d, text)
	if unsafe.StringData(before.Name) == unsafe.StringData(after.Name) {
		t.Error("a string is that of another object")
	}
	for key := range before.Map {
		for other := range after.Map {
			if unsafe.StringData(key) == unsafe.StringData(other) || unsafe.StringData(before.Map[key]) == unsafe.StringData(after.Map[key]) {
				t.Error("keys or values are those of another object")
			}
		}
	}
	decodeNamed(t, d, `{"Name":"other"}`)
	decodeNamed(t, d, `{"Name":"other"}`)
	d.Stream.Level = intern.All
	if got := decodeNamed(t, d, `{"Name":"other"}`); got.Name != "other" {
		t.Errorf("%+v", got)
	}
}
