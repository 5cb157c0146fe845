package load

import (
	"bytes"
	"slices"
)

// Whether a file could declare a name follows from its text, so that most files need not be parsed. Each search takes
// time in proportion to the file; of one that is searched often, the names are indexed.

// maxSearches is the number of searches after which the names of a file are indexed.
const maxSearches = 32

// keywords are what can precede a name in the searches.
var keywords = []string{"type", "func", "var", "const", ",", ")"}

// mayDeclare is [declares] for the text of the file. The keywords are among those of the variable. If the file is parsed
// already, the result is true, since what it declares is known.
func (f *file) mayDeclare(name string, words ...string) bool {
	switch {
	case f.done.Load():
		return f.parsed != nil
	case f.searches.Add(1) <= maxSearches:
		return declares(f.source(), name, words...)
	}
	f.indexing.Do(func() { f.names = declarable(f.source()) })
	found, ok := f.names[name]
	if !ok || name == "" {
		return false
	}
	return found&atStart != 0 || slices.ContainsFunc(words, func(word string) bool {
		i := slices.Index(keywords, word)
		return i < 0 || found&(atStart<<(i+1)) != 0
	})
}

// atStart is the bit of names that are where a declaration can start. The next bits are those of the keywords.
const atStart = 1

// declarable returns the names in a text for which [declares] reports true, each with the bits of what precedes it.
func declarable(src []byte) map[string]uint8 {
	names := map[string]uint8{}
	before := -1 // the end of the text before the name, without white space
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			continue
		case !inName(c):
			before = i
			continue
		}
		start := i
		for i+1 < len(src) && inName(src[i+1]) {
			i++
		}
		if bits := precedes(src[:before+1]); bits != 0 {
			names[string(src[start:i+1])] |= bits
		}
		before = i
	}
	return names
}

// precedes returns the bits for what a text ends with.
func precedes(text []byte) uint8 {
	if len(text) == 0 || bytes.IndexByte([]byte("\n(;/"), text[len(text)-1]) >= 0 {
		return atStart
	}
	bits := uint8(0)
	for i, word := range keywords {
		if bytes.HasSuffix(text, []byte(word)) {
			bits |= atStart << (i + 1)
		}
	}
	return bits
}
