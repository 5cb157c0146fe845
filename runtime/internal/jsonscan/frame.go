package jsonscan

import "bytes"

// Frame finds the end of a value that arrives in parts. It does not check that the value is JSON: of a text that
// is not, it finds some end. The zero value is ready for one value.
type Frame struct {
	// Deepest is the depth of the value, as far as it has been seen.
	Deepest int

	depth   int
	state   frameState
	escaped bool
}

type frameState uint8

const (
	before   frameState = iota // the value
	between                    // values, in an object or array
	inString                   // in a string
	inOther                    // in a number or another literal that is the whole value
)

// End returns the position after the value, of which b[i:] is the next part, or [Bad] if it does not end there. A
// number or literal outside of objects and arrays ends only where something follows it.
func (f *Frame) End(b []byte, i int) int {
	for i < len(b) {
		c := b[i]
		switch f.state {
		case inString:
			if f.escaped {
				f.escaped = false
				i++
				continue
			}
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				n = len(b) - i
			}
			if e := bytes.IndexByte(b[i:i+n], '\\'); e >= 0 {
				f.escaped = true
				i += e + 1
				continue
			}
			if i += n; i == len(b) {
				return Bad
			}
			i++
			f.state = between
			if f.depth == 0 {
				return i
			}
			continue
		case inOther:
			switch c {
			case ',', ']', '}', ':', '"', '{', '[', ' ', '\n', '\t', '\r':
				return i
			}
			i++
			continue
		}
		i++
		switch c {
		case '"':
			f.state = inString
		case '{', '[':
			f.state = between
			f.depth++
			f.Deepest = max(f.Deepest, f.depth)
		case '}', ']':
			if f.depth--; f.depth <= 0 {
				return i
			}
		case ' ', '\n', '\t', '\r':
		default:
			if f.state == before {
				f.state = inOther
			}
		}
	}
	return Bad
}
