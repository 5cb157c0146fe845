package jsonscan

// Bad is the position that stands for a text that is not JSON, or that is left to another decoder.
const Bad = -1

// Depth is the depth of the deepest values that are accepted.
const Depth = 64

// Space returns the position of the first byte from i on that is not white space, or the length of b.
func Space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// Null returns the position after the null at i.
func Null(b []byte, i int) int {
	if i >= 0 && i+4 <= len(b) && string(b[i:i+4]) == "null" {
		return i + 4
	}
	return Bad
}

// Bool returns the value of the true or false at i, and the position after it.
func Bool(b []byte, i int) (bool, int) {
	switch {
	case i+4 <= len(b) && string(b[i:i+4]) == "true":
		return true, i + 4
	case i+5 <= len(b) && string(b[i:i+5]) == "false":
		return false, i + 5
	}
	return false, Bad
}

// literal returns the position after the true, false, null or number at i.
func literal(b []byte, i int) int {
	switch b[i] {
	case 'n':
		return Null(b, i)
	case 't', 'f':
		_, next := Bool(b, i)
		return next
	default:
		return Number(b, i)
	}
}

// Value returns the position after the value at i, which may be preceded by white space.
func Value(b []byte, i int) int {
	var objects uint64 // a bit for each level, set for objects
	depth := 0
value:
	if i = Space(b, i); i >= len(b) {
		return Bad
	}
	switch b[i] {
	case '"':
		i = skipString(b, i)
	case '{':
		if i = Space(b, i+1); i < len(b) && b[i] == '}' {
			i++
			break
		}
		if depth++; depth > Depth {
			return Bad
		}
		objects = objects<<1 | 1
		goto name
	case '[':
		if i = Space(b, i+1); i < len(b) && b[i] == ']' {
			i++
			break
		}
		if depth++; depth > Depth {
			return Bad
		}
		objects <<= 1
		goto value
	default:
		i = literal(b, i)
	}
	if i < 0 {
		return Bad
	}
after:
	if depth == 0 {
		return i
	}
	if i >= len(b) {
		return Bad
	}
	switch c := b[i]; {
	case c == ',':
		i++
		if objects&1 == 0 {
			goto value
		}
		i = Space(b, i)
		goto name
	case c == '}' && objects&1 == 1 || c == ']' && objects&1 == 0:
		i++
		objects >>= 1
		depth--
		goto after
	case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		i++
		goto after
	}
	return Bad
name:
	if i >= len(b) || b[i] != '"' {
		return Bad
	}
	if i = skipString(b, i); i < 0 {
		return Bad
	}
	if i = Space(b, i); i >= len(b) || b[i] != ':' {
		return Bad
	}
	i++
	goto value
}

// Valid reports whether b is one value, at most [Depth] deep, with white space around it.
func Valid(b []byte) bool {
	i := Value(b, 0)
	return i >= 0 && Space(b, i) == len(b)
}

// Members calls each with the members of the object at i: with their names, which are valid until each returns or
// reads another string, and the positions of their values. Each returns the position after the value. Members
// returns the position after the object, and [Bad] at once if each does.
func (s *Scanner) Members(i int, each func(name []byte, hash uint64, i int) (next int)) int {
	b := s.Text
	if i >= len(b) || b[i] != '{' {
		return Bad
	}
	if i = Space(b, i+1); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return Bad
		}
		name, hash, next := s.String(i)
		if next < 0 {
			return Bad
		}
		if i = Space(b, next); i >= len(b) || b[i] != ':' {
			return Bad
		}
		if i = Space(b, i+1); i >= len(b) {
			return Bad
		}
		if i = each(name, hash, i); i < 0 {
			return Bad
		}
		if i = Space(b, i); i >= len(b) {
			return Bad
		}
		if b[i] == '}' {
			return i + 1
		}
		if b[i] != ',' {
			return Bad
		}
		i = Space(b, i+1)
	}
}

// Elements is [Scanner.Members] for the elements of the array at i.
func (s *Scanner) Elements(i int, each func(i int) (next int)) int {
	b := s.Text
	if i >= len(b) || b[i] != '[' {
		return Bad
	}
	if i = Space(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i >= len(b) {
			return Bad
		}
		if i = each(i); i < 0 {
			return Bad
		}
		if i = Space(b, i); i >= len(b) {
			return Bad
		}
		if b[i] == ']' {
			return i + 1
		}
		if b[i] != ',' {
			return Bad
		}
		i = Space(b, i+1)
	}
}
