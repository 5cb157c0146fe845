package intern

import (
	"fmt"
	"testing"
)

// TestFieldsGuess holds that texts that follow each other are guessed, and forgotten texts are not.
func TestFieldsGuess(t *testing.T) {
	var known fieldsTable
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
	if n := len(known.entries); n != mostFields {
		t.Errorf("%d entries, want %d", n, mostFields)
	}
	if known.note([]byte(`"text"`)) != nil || known.note(append([]byte(`{"`), make([]byte, longestFields)...)) != nil {
		t.Error("a text that is no object, or is long, is remembered")
	}
}
