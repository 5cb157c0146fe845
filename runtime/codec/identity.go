package codec

import (
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// identity are the members of a text that tell which object it is.
type identity struct {
	apiVersion, kind              string
	namespace, name, uid, version string
}

// identify returns the identity of the object with that text, as far as it is JSON. It is clear only if the text
// is one whole object whose name and namespace are strings: an object without a readable namespace would be
// mistaken for one without a namespace.
func identify(text []byte) (id identity, clear bool) {
	s := jsonscan.Scanner{Text: text}
	clear = true
	read := func(to *string, i int, must bool) int {
		if text[i] != '"' {
			clear = clear && (!must || text[i] == 'n')
			return jsonscan.Value(text, i)
		}
		b, _, next := s.String(i)
		if next >= 0 {
			*to = string(b)
		}
		return next
	}
	metadata := func(name []byte, _ uint64, i int) int {
		switch string(name) {
		case "name":
			return read(&id.name, i, true)
		case "namespace":
			return read(&id.namespace, i, true)
		case "uid":
			return read(&id.uid, i, false)
		case "resourceVersion":
			return read(&id.version, i, false)
		}
		return jsonscan.Value(text, i)
	}
	end := s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		switch string(name) {
		case "kind":
			return read(&id.kind, i, false)
		case "apiVersion":
			return read(&id.apiVersion, i, false)
		case "metadata":
			if text[i] == '{' {
				return s.Members(i, metadata)
			}
			clear = clear && text[i] == 'n'
		}
		return jsonscan.Value(text, i)
	})
	return id, clear && end >= 0 && jsonscan.Space(text, end) == len(text) && id.name != ""
}
