package table

import "github.com/listwatch/listwatch/runtime/codec/internal/intern"

// guess is the string that was at a place last, if it came before, and is in the text as it is. The next one there is
// often the same: comparing costs a third of reading and looking up.
type guess struct {
	text string
	hash uint64
}

// end returns the position after the string whose opening quote is at i if it is the one guessed, or [bad].
func (g *guess) end(b []byte, i int) int {
	end := i + 1 + len(g.text)
	if len(g.text) > 0 && end < len(b) && b[end] == '"' && string(b[i+1:end]) == g.text {
		return end + 1
	}
	return bad
}

// mostGuessed is the number of entries of a map, and of elements of a slice of structs, that have guesses of their own.
// Those after them share the last ones.
const mostGuessed = 8

// text decodes the string whose opening quote is at i, of the place that g and of belong to, as a string that other
// objects may have, too.
func (d *Decoder) text(g *guess, of *slot, i int) (text string, hash uint64, next int) {
	if next = g.end(d.Text, i); next >= 0 && d.Stream.Level != intern.None {
		return g.text, g.hash, next
	}
	s, hash, next := d.String(i)
	if next < 0 {
		return "", 0, bad
	}
	text, came := d.likely(s, hash, of)
	if came && d.isLiteral(s, i) {
		*g = guess{text, hash}
	}
	return text, hash, next
}

// key is text for the key of a map.
func (d *Decoder) key(g *guess, i int) (text string, hash uint64, next int) {
	if next = g.end(d.Text, i); next >= 0 && d.Stream.Level != intern.None {
		return g.text, g.hash, next
	}
	s, hash, next := d.String(i)
	if next < 0 {
		return "", 0, bad
	}
	text, came := d.known(s, hash)
	if came && d.isLiteral(s, i) {
		*g = guess{text, hash}
	}
	return text, hash, next
}

// isLiteral reports whether s, the string whose opening quote is at i, is in the text as it is: one with escapes or
// invalid UTF-8 is not, and guessed, it would be taken for another.
func (d *Decoder) isLiteral(s []byte, i int) bool { return &s[0] == &d.Text[i+1] }
