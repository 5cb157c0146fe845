package codec

import (
	"bytes"
	"errors"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// errUnclear reports that apimachinery's decoder must determine the kind of a text, or its error.
var errUnclear = errors.New("object's kind and apiVersion are not first, or change")

// head is the beginning of an object: its kind and apiVersion.
type head struct {
	apiVersion, kind string
	gvk              schema.GroupVersionKind
	// known reports whether both are there and valid; expected, whether the kind is only expected to follow.
	known, expected bool
	// name is the name of the first member after them; next the position of its value, if there is one (more).
	name string
	next int
	more bool
	// ended reports whether there is none, since the object ends.
	ended bool
}

// stops reports whether it is known what follows the head: a member, or the end of the object. Otherwise it is cut off, or
// a kind or apiVersion follows that is not a string.
func (h *head) stops() bool { return h.more || h.ended }

// head reads the members of the text before the first that is neither kind nor apiVersion. It may not have arrived
// completely.
func (s *session) head(text []byte) head {
	if len(s.lastText) > 0 && bytes.HasPrefix(text, s.lastText) {
		return s.lastHead
	}
	var h head
	s.Text = text
	end := s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		value := h.value(name)
		if value == nil {
			h.name, h.next, h.more = string(name), i, true
			return jsonscan.Bad
		}
		if text[i] != '"' {
			return jsonscan.Bad
		}
		b, _, next := s.String(i)
		if next >= 0 {
			*value = string(b)
		}
		return next
	})
	h.ended = end >= 0
	h.next = max(h.next, end)
	h.parse()
	if h.more && h.known {
		s.lastHead, s.lastText = h, append(s.lastText[:0], text[:h.next]...)
	}
	return h
}

// value returns where the value of a member of that name belongs, or nil if it is not in the head.
func (h *head) value(name []byte) *string {
	switch string(name) {
	case "kind":
		return &h.kind
	case "apiVersion":
		return &h.apiVersion
	}
	return nil
}

// parse sets gvk and known.
func (h *head) parse() {
	gv, err := schema.ParseGroupVersion(h.apiVersion)
	if h.known = err == nil && h.kind != "" && gv.Version != ""; h.known {
		h.gvk = gv.WithKind(h.kind)
	}
}

// headAnywhere returns the head of text if it is not first, as in lists of custom resources, whose members API
// servers sort.
func (s *session) headAnywhere(text []byte) head {
	var h head
	s.Text = text
	end := s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		value := h.value(name)
		if value == nil || text[i] != '"' {
			return jsonscan.Value(text, i)
		}
		b, _, next := s.String(i)
		if next >= 0 {
			*value = string(b)
		}
		return next
	})
	if end >= 0 {
		h.parse()
	}
	return h
}

// isTypeName reports whether encoding/json would take name, in whatever case, for
// kind or apiVersion. (Two of their letters have relatives of other lengths.)
func isTypeName(name []byte) bool {
	switch len(name) {
	case 4, 6:
		return bytes.EqualFold(name, []byte("kind"))
	case 10, 11:
		return bytes.EqualFold(name, []byte("apiVersion"))
	}
	return false
}

// again checks a repeated kind or apiVersion, which must not change.
func (h *head) again(s *session, name, value []byte) error {
	known, empty := h.kind, h.expected
	if len(name) > len("kind")+2 {
		known, empty = h.apiVersion, false
	}
	switch value[0] {
	case 'n':
		if jsonscan.Null(value, 0) == len(value) {
			return nil
		}
	case '"':
		s.Text = value
		if b, _, next := s.String(0); next == len(value) && (string(b) == known || empty && len(b) == 0) {
			return nil
		}
	}
	return errUnclear
}
