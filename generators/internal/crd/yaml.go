package crd

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// object is a JSON object whose members are in the order in which they are written.
type object []member

type member struct {
	name  string
	value any
}

// writer writes values as YAML in block style, as sigs.k8s.io/yaml does: lists are not indented, and texts
// without line breaks are folded.
type writer struct {
	buf   []byte
	start int // the index of the current line in buf
}

// maxColumn is the column after which texts are folded at spaces.
const maxColumn = 80

// marshal appends an object to a text.
func marshal(buf []byte, o object) []byte {
	w := &writer{buf: buf, start: len(buf)}
	if len(o) == 0 {
		return append(buf, "{}\n"...)
	}
	w.value(o, -2, false)
	w.newline(0)
	return w.buf
}

// newline ends the current line, unless it is empty, and indents the next one.
func (w *writer) newline(indent int) {
	if len(w.buf) > w.start {
		w.end()
	}
	for range indent {
		w.buf = append(w.buf, ' ')
	}
}

// end ends the current line.
func (w *writer) end() {
	w.buf = append(w.buf, '\n')
	w.start = len(w.buf)
}

// column returns the number of characters in the current line.
func (w *writer) column() int { return utf8.RuneCount(w.buf[w.start:]) }

// element starts the member of an object or the item of a list: on a line of its own, or for the first
// one in the item of a list, on the line of the dash.
func (w *writer) element(first, dash bool, indent int) {
	if first && dash {
		w.buf = append(w.buf, ' ')
		return
	}
	w.newline(indent)
}

// value writes a value after its key or, if dash is set, after its dash; indent is where that starts.
func (w *writer) value(value any, indent int, dash bool) {
	switch v := value.(type) {
	case object:
		if len(v) == 0 {
			w.raw("{}")
		}
		for i, m := range v {
			w.element(i == 0, dash, indent+2)
			w.scalar(m.name, indent+2, false)
			w.buf = append(w.buf, ':')
			w.value(m.value, indent+2, false)
		}
	case map[string]any:
		w.value(sorted(v), indent, dash)
	case map[string]string:
		w.value(sorted(v), indent, dash)
	case []any:
		values(w, v, indent, dash)
	case []object:
		values(w, v, indent, dash)
	case []string:
		values(w, v, indent, dash)
	case string:
		w.buf = append(w.buf, ' ')
		w.scalar(v, indent+2, true)
	case bool:
		w.raw(strconv.FormatBool(v))
	case int64:
		w.raw(strconv.FormatInt(v, 10))
	case float64:
		w.raw(number(v))
	default:
		w.raw("null")
	}
}

// values writes a list.
func values[T any](w *writer, list []T, indent int, dash bool) {
	if len(list) == 0 {
		w.raw("[]")
	}
	if dash {
		indent += 2
	}
	for i, v := range list {
		w.element(i == 0, dash, indent)
		w.buf = append(w.buf, '-')
		w.value(v, indent, true)
	}
}

// raw writes a value that needs no quotes.
func (w *writer) raw(text string) {
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, text...)
}

// number returns a number as YAML writes it after JSON: an integer if it is one of 64 bits.
func number(f float64) string {
	if f == 0 {
		return "0" // of either sign
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	_, err := strconv.ParseInt(text, 10, 64)
	_, errUnsigned := strconv.ParseUint(text, 10, 64)
	if err == nil || errUnsigned == nil {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// sorted returns the members of an object in the order of YAML.
func sorted[T any](values map[string]T) object {
	o := make(object, 0, len(values))
	for name, value := range values {
		o = append(o, member{name, value})
	}
	slices.SortFunc(o, func(a, b member) int { return order(a.name, b.name) })
	return o
}

// order compares keys: numbers in them by their values, and letters after everything else.
func order(a, b string) int {
	switch {
	case a == b:
		return 0
	case before([]rune(a), []rune(b)):
		return -1
	}
	return 1
}

func before(a, b []rune) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) < len(b)
	}
	letterA, letterB := isLetter(a[i]), isLetter(b[i])
	switch {
	case letterA && letterB:
		return a[i] < b[i]
	case letterA || letterB:
		return letterB
	}
	// Digits before the difference are equal; zeros count only after another one.
	numberA, numberB := int64(0), int64(0)
	if a[i] == '0' || b[i] == '0' {
		for j := i - 1; j >= 0 && isDigit(a[j]); j-- {
			if a[j] != '0' {
				numberA, numberB = 1, 1
				break
			}
		}
	}
	endA, numberA := digits(a, i, numberA)
	endB, numberB := digits(b, i, numberB)
	if numberA != numberB {
		return numberA < numberB
	}
	if endA != endB {
		return endA < endB
	}
	return a[i] < b[i]
}

// digits returns the end of the digits from an index on, and the number that they continue.
func digits(text []rune, from int, number int64) (end int, value int64) {
	for end = from; end < len(text) && isDigit(text[end]); end++ {
		number = number*10 + int64(text[end]-'0')
	}
	return end, number
}
