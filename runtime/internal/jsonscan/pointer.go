package jsonscan

import (
	"strconv"
	"strings"
)

// Pointer returns the JSON pointer (RFC 6901) to the innermost value in b that contains the position at, or whose
// name does. In a text that is not JSON, it returns what the text before the position says.
func Pointer(b []byte, at int) string {
	s := &Scanner{Text: b}
	var path []string
	i := Space(b, 0)
	for i < len(b) && i < at {
		inner, step := child(s, i, at)
		if inner < 0 {
			break
		}
		path = append(path, "/"+step)
		i = inner
	}
	return strings.Join(path, "")
}

// child returns the position of the member or element that contains at, in the object or array at i, and its name
// or index.
func child(s *Scanner, i, at int) (inner int, step string) {
	inner, n := Bad, 0
	find := func(i int, of func() string) int {
		next := Value(s.Text, i)
		if next < 0 || next > at {
			inner, step = i, of()
			return Bad
		}
		n++
		return next
	}
	switch s.Text[i] {
	case '{':
		s.Members(i, func(name []byte, _ uint64, i int) int {
			return find(i, func() string { return escape.Replace(string(name)) })
		})
	case '[':
		s.Elements(i, func(i int) int {
			return find(i, func() string { return strconv.Itoa(n) })
		})
	}
	return inner, step
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")
