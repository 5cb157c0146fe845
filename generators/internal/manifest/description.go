package manifest

import (
	"strings"
	"unicode"
)

// description shortens a description to the printer's limit.
func (p printer) description(text string) string {
	if p.maxDescLen == nil || *p.maxDescLen < 0 || len(text) <= *p.maxDescLen {
		return text
	}
	return shorten(text, *p.maxDescLen)
}

// shorten returns the start of a text of at most n bytes: up to the end of its last whole sentence, or
// with dots in addition, up to its last whole word.
func shorten(text string, n int) string {
	if n == 0 {
		return ""
	}
	text = text[:n]
	if i := strings.LastIndexFunc(text, func(c rune) bool { return unicode.Is(unicode.STerm, c) }); i > 0 {
		return text[:i+1]
	}
	if i := strings.LastIndexFunc(text, unicode.IsSpace); i > 0 {
		return text[:i] + "..."
	}
	return text + "..."
}
