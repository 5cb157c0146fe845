package random

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// writer writes the text of an example.
type writer struct {
	*rand.Rand
	// wild allows what generators refuse.
	wild bool
	// kubebuilder reports that controller-gen's markers request deepcopy functions, instead of deepcopy-gen's.
	kubebuilder bool
	// group is the API group.
	group string
}

// pick returns one of the values.
func (w *writer) pick(values ...string) string { return values[w.IntN(len(values))] }

// one reports true once in n times.
func (w *writer) one(n int) bool { return w.IntN(n) == 0 }

// odd reports true once in n times in wild examples, and false in others.
func (w *writer) odd(n int) bool { return w.wild && w.one(n) }

// some returns n different values at most, in any order.
func (w *writer) some(n int, values ...string) []string {
	list := slices.Clone(values)
	w.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(len(list), w.IntN(n+1))]
}

// sentences are lines of descriptions.
var sentences = []string{
	"is a part of the API.", "has \"quotes\", `ticks` and 'single ones'.", "ends without a dot", "contains: a colon, # a hash and - a dash.",
	"is {a: b} and [c].", "is 100% odd \\n.", "trails   ", "ist größer als ≥ 日本.", "costs $5 & more <b>.", "key: value", "has\ttabs.", "e.g. this, i.e. that. And more.",
	"TODO(a): improve.", "---", "", "+ is not a marker", "+", "  - a list", "1. First.", "* star", "~", "null", "Deprecated: use another.", "@since 1", "yes", "| a pipe", "> more", "!tag",
	"TODO: nothing", "    code := 1", "nolint:all", "+build linux is mentioned", "http://example.com/?a=b#c",
}

// comment returns a comment with a description and markers, and its indentation before each line.
func (w *writer) comment(indent, name string, markers ...string) string {
	lines := []string{}
	if !w.one(6) {
		lines = append(lines, name+" "+w.pick(sentences...))
		for range w.IntN(4) {
			lines = append(lines, w.pick(sentences...))
		}
	}
	if len(markers) == 0 && w.one(40) {
		return indent + "/*\n" + indent + strings.Join(lines, "\n"+indent) + "\n" + indent + "*/\n"
	}
	var text strings.Builder
	write := func(line string) { text.WriteString(strings.TrimRight(indent+line, "\n") + "\n") }
	after := w.one(6)
	if !after {
		for _, l := range lines {
			write("// " + l)
		}
		if len(lines) > 0 && w.one(2) {
			write("//")
		}
	}
	for i, m := range markers {
		switch {
		case w.one(20):
			write("//+" + m)
		case w.one(20):
			write("//  +" + m)
		case w.one(30):
			write("// +" + m + "  ")
		case w.one(40):
			write("//\t+" + m)
		default:
			write("// +" + m)
		}
		if indent == "" && i < len(markers)-1 && w.one(40) {
			write("//nolint:all")
		}
		if w.one(30) {
			write("//")
		}
	}
	if indent == "" && w.one(8) && text.Len() > 0 {
		text.WriteString("\n") // gengo and controller-gen read the comment above the last one too
		write("// " + name + " " + w.pick(sentences...))
	}
	if after {
		for _, l := range lines {
			write("// " + l)
		}
	}
	return text.String()
}

// file returns a file with declarations, with those of the imports that they use.
func file(head, pkg string, imports map[string]string, declarations []string) string {
	body := strings.Join(declarations, "\n")
	var specs []string
	for name, path := range imports {
		if name == "." || regexp.MustCompile(`(?m)^[^/`+"`"+`\n]*\b`+name+`\.[A-Z]`).MatchString(body) {
			specs = append(specs, fmt.Sprintf("\t%s %q\n", name, path))
		}
	}
	slices.Sort(specs)
	text := head + "package " + pkg + "\n\n"
	if len(specs) > 0 {
		text += "import (\n" + strings.Join(specs, "") + ")\n\n"
	}
	return text + body
}
