package jsonscan

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner reads strings. The zero value is ready to use.
type Scanner struct {
	// Text is the text that positions are in.
	Text []byte
	out  []byte // the last string that is not in Text as it is
}

// kept is the largest buffer that a scanner keeps.
const kept = 1 << 16

// String returns the string whose opening quote is at i, its hash, and the position after it. The string is valid
// until the next call, and while Text does not change.
func (s *Scanner) String(i int) (text []byte, hash uint64, next int) {
	b := s.Text
	i++
	start := i
	var h uint64
	for {
		w := Word(b, i)
		if m := special(w); m != 0 {
			n := bits.TrailingZeros64(m) >> 3
			if n > 0 {
				h = Mix(h, w&(1<<(8*uint(n))-1))
			}
			i += n
			if i < len(b) && b[i] == '"' {
				return b[start:i], h * prime, i + 1
			}
			return s.hard(start, i)
		}
		h = Mix(h, w)
		i += 8
	}
}

// hard is String from i on, where there is the first byte that is not plain.
func (s *Scanner) hard(start, i int) ([]byte, uint64, int) {
	end, escaped := closing(s.Text, i)
	if end < 0 {
		return nil, 0, Bad
	}
	text := s.Text[start:end]
	if escaped || !utf8.Valid(text) {
		if cap(s.out) > kept {
			s.out = nil
		}
		s.out = unquote(s.out[:0], text)
		text = s.out
	}
	return text, Hash(text), end + 1
}

// closing returns the position of the closing quote of a string, in which i is, and whether there are escapes
// before it.
func closing(b []byte, i int) (end int, escaped bool) {
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			return i, escaped
		case c == '\\':
			escaped = true
			if i+1 >= len(b) {
				return Bad, false
			}
			switch b[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
			case 'u':
				if hex(b, i+2) < 0 {
					return Bad, false
				}
				i += 6
			default:
				return Bad, false
			}
		case c < 0x20:
			return Bad, false
		default:
			i++
		}
	}
	return Bad, false
}

// hex returns the number that the four hexadecimal digits at i represent, or -1.
func hex(b []byte, i int) rune {
	if i+4 > len(b) {
		return -1
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// unquote appends the string with the valid literal s, without its quotes. Halves of surrogate pairs, and bytes
// that are not UTF-8, become U+FFFD.
func unquote(out, s []byte) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			if c < utf8.RuneSelf {
				out = append(out, c)
				i++
				continue
			}
			r, n := utf8.DecodeRune(s[i:])
			out = utf8.AppendRune(out, r)
			i += n
			continue
		}
		c = s[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hex(s, i)
			i += 4
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
					pair = utf16.DecodeRune(r, hex(s, i+2))
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
			continue
		}
		out = append(out, c)
	}
	return out
}

// skipString returns the position after the string whose opening quote is at i.
func skipString(b []byte, i int) int {
	i++
	for {
		if m := special(Word(b, i)); m != 0 {
			i += bits.TrailingZeros64(m) >> 3
			if i < len(b) && b[i] == '"' {
				return i + 1
			}
			if end, _ := closing(b, i); end >= 0 {
				return end + 1
			}
			return Bad
		}
		i += 8
	}
}
