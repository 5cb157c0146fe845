package kubemarker

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// reader reads values from the text after a marker's name. Its methods do nothing after an error.
type reader struct {
	text string
	scan scanner.Scanner
	err  *Error // the first error; the offset of its position is one in text
}

// modeWords splits into the tokens of Go without comments and characters, and modeStrings does not
// read numbers: a bare string may start like an invalid one.
const (
	modeWords   = scanner.ScanIdents | scanner.ScanInts | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanRawStrings
	modeStrings = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanRawStrings
)

func newReader(text string) *reader {
	r := &reader{text: text}
	r.scan.Init(strings.NewReader(text))
	r.scan.Mode = modeWords
	r.scan.Error = func(s *scanner.Scanner, message string) { r.failf(s.Offset, "%s", message) }
	return r
}

// ahead returns a reader of the rest of the text, to look ahead; its errors have no consequence.
func (r *reader) ahead() *reader {
	return newReader(r.text[min(r.scan.Pos().Offset, len(r.text)):])
}

// failf records an error at an offset unless there is one.
func (r *reader) failf(offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Message: fmt.Sprintf(format, args...)}
		r.err.Pos.Offset = offset
	}
}

// next returns the next character that is not white space, without reading it.
func (r *reader) next() rune {
	for {
		c := r.scan.Peek()
		if c < 0 || c > ' ' || scanner.GoWhitespace&(1<<uint(c)) == 0 {
			return c
		}
		r.scan.Next()
	}
}

// want reads a token, which must be the wanted one.
func (r *reader) want(token rune, description string) bool {
	if r.scan.Scan() != token {
		r.failf(r.scan.Offset, "want %s, found %s", description, r.found())
		return false
	}
	return true
}

// found describes the last token.
func (r *reader) found() string {
	if text := r.scan.TokenText(); text != "" {
		return strconv.Quote(text)
	}
	return "the end"
}

// end reports text after the last value.
func (r *reader) end() {
	if r.err == nil && r.scan.Scan() != scanner.EOF {
		r.failf(r.scan.Offset, "unexpected %s after the value; quote it if it is part of it", strconv.Quote(r.text[r.scan.Offset:]))
	}
}

// arguments reads "name=value,name=value", and returns the values and their offsets by name.
func (r *reader) arguments(def *Definition) (values map[string]any, offsets map[string]int) {
	values, offsets = map[string]any{}, map[string]int{}
	list := "" // the argument before, if it is a list
	for r.err == nil && r.want(scanner.Ident, "the name of an argument") {
		name, at := r.scan.TokenText(), r.scan.Offset
		i := slices.IndexFunc(def.Arguments, func(a Argument) bool { return a.Name == name })
		if r.scan.Scan() != '=' {
			hint := ""
			if i < 0 && list != "" {
				hint = "; if it belongs to " + list + ", write a semicolon before it"
			}
			r.failf(r.scan.Offset, "want = after %s, found %s%s", name, r.found(), hint)
			break
		}
		if i < 0 {
			r.failf(at, "unknown argument %s of +%s%s", name, def.Name, suggestArgument(name, def.Arguments))
			break
		}
		r.next()
		offsets[name] = min(r.scan.Pos().Offset, len(r.text))
		values[name] = r.value(def.Arguments[i].Kind)
		if list = ""; def.Arguments[i].Kind == Strings {
			list = name
		}
		if r.err != nil || r.scan.Peek() == scanner.EOF || !r.want(',', "a comma") {
			break
		}
	}
	return values, offsets
}

// value reads a value of a kind.
func (r *reader) value(kind Kind) any {
	switch kind {
	case Strings:
		return texts(r.list(form{kind: String}))
	case Anys:
		return r.list(form{kind: Any})
	}
	return r.read(form{kind: kind}, false)
}

// texts returns a list of strings.
func texts(list []any) []string {
	result := make([]string, 0, len(list))
	for _, v := range list {
		s, _ := v.(string)
		result = append(result, s)
	}
	return result
}

// form is the form of a value: a kind, or a list or object of values of one.
type form struct {
	kind   Kind
	list   *form
	object bool
}

// read reads a value. InList reports whether it is in a list, where a semicolon ends it.
func (r *reader) read(f form, inList bool) any {
	switch {
	case r.err != nil:
		return nil
	case f.list != nil:
		return r.list(*f.list)
	case f.object:
		return r.object()
	}
	switch f.kind {
	case Int:
		text := r.number(scanner.Int)
		n, err := strconv.Atoi(text)
		if err != nil {
			r.failf(r.scan.Offset, "want an integer, found %s", strconv.Quote(text))
		}
		return int64(n)
	case Number:
		text := r.number(scanner.Float)
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			r.failf(r.scan.Offset, "want a number, found %s", strconv.Quote(text))
		}
		return n
	case Bool:
		r.want(scanner.Ident, "true or false")
		switch text := r.scan.TokenText(); text {
		case "true", "false":
			return text == "true"
		default:
			r.failf(r.scan.Offset, "want true or false, found %s", strconv.Quote(text))
			return nil
		}
	case Any:
		return r.read(r.guess(!inList), true)
	}
	return r.string(false)
}

// number reads the text of a number: an integer or, if kind is a float, either.
func (r *reader) number(kind rune) string {
	sign := ""
	if r.scan.Peek() == '-' {
		r.scan.Scan()
		sign = "-"
	}
	if token := r.scan.Scan(); token != scanner.Int && token != kind {
		return sign + r.scan.TokenText() // which is not a number
	}
	return sign + r.scan.TokenText()
}

// string reads a string. In an object's key, a colon ends a bare one.
func (r *reader) string(key bool) string {
	r.scan.Mode = modeStrings
	defer func() { r.scan.Mode = modeWords }()
	if token := r.scan.Scan(); token == scanner.String || token == scanner.RawString {
		text, err := strconv.Unquote(r.scan.TokenText())
		if err != nil {
			r.failf(r.scan.Offset, "invalid string %s", r.scan.TokenText())
		}
		return text
	}
	start := r.scan.Offset
	for !ends(r.next(), key) {
		r.scan.Scan()
	}
	return r.text[start : r.scan.Offset+len(r.scan.TokenText())]
}

// ends reports whether a character ends a bare string.
func ends(c rune, key bool) bool {
	return c == ',' || c == ';' || c == '}' || c == scanner.EOF || key && c == ':'
}

// list reads {a,b} or a;b.
func (r *reader) list(item form) []any {
	items := []any{}
	if r.next() == '{' {
		r.scan.Scan()
		for c := r.next(); c != '}' && c != scanner.EOF; c = r.next() {
			items = append(items, r.read(item, true))
			if r.err != nil || r.next() == '}' {
				break
			}
			if !r.want(',', "a comma or }") {
				return nil
			}
		}
		r.want('}', "}")
		return items
	}
	for c := r.next(); c != ',' && c != '}' && c != scanner.EOF; c = r.next() {
		items = append(items, r.read(item, true))
		if c := r.next(); r.err != nil || c == ',' || c == '}' || c == scanner.EOF {
			break
		}
		if !r.want(';', "a semicolon") {
			return nil
		}
	}
	return items
}

// object reads {a: b, c: d}.
func (r *reader) object() map[string]any {
	object := map[string]any{}
	if !r.want('{', "{") {
		return nil
	}
	for c := r.next(); c != '}' && c != scanner.EOF; c = r.next() {
		key := r.string(true)
		if !r.want(':', "a colon after "+strconv.Quote(key)) {
			return nil
		}
		object[key] = r.read(form{kind: Any}, false)
		if r.err != nil {
			return nil
		}
		if r.next() == '}' {
			break
		}
		if !r.want(',', "a comma or }") {
			return nil
		}
	}
	r.want('}', "}")
	return object
}

// guess returns the form that the next value has by its look. With semicolons, it can be a list
// without braces.
func (r *reader) guess(semicolons bool) form {
	f := r.guessOne()
	if !semicolons {
		return f
	}
	a := r.ahead()
	for {
		switch a.scan.Scan() {
		case ';':
			return form{list: &f}
		case ',', scanner.EOF:
			return f
		}
	}
}

// guessOne returns the form of the next value, which is not a list without braces.
func (r *reader) guessOne() form {
	a := r.ahead()
	switch c := a.next(); c {
	case '"', '\'', '`':
		return form{kind: String}
	case '{':
		a.scan.Scan()
		return a.guessBraces()
	case 't', 'f':
		a.scan.Scan()
		if text := a.scan.TokenText(); text == "true" || text == "false" {
			return form{kind: Bool}
		}
		return form{kind: String}
	}
	token := a.scan.Scan()
	if token == '-' {
		token = a.scan.Scan()
	}
	if a.err == nil && (token == scanner.Int || token == scanner.Float) {
		if c := a.next(); c == ',' || c == ';' || c == '}' || c == scanner.EOF {
			if token == scanner.Int {
				return form{kind: Int}
			}
			return form{kind: Number}
		}
	}
	return form{kind: String}
}

// guessBraces returns the form of a value whose opening brace was read: an object if a string and a
// colon follow, or nothing; otherwise a list of values like the first.
func (r *reader) guessBraces() form {
	c := r.next()
	first := r.guessOne()
	if first.list == nil && !first.object && first.kind == String {
		r.string(true)
		if r.scan.Scan() == ':' || c == '}' {
			return form{object: true}
		}
	}
	return form{list: &first}
}

// whole reads a value that is the whole text.
func whole(r *reader, m *Marker, value string) {
	if value == "" {
		return
	}
	if m.Kind == JSON {
		if strings.HasPrefix(strings.TrimSpace(value), "ref(") {
			return // a Go constant, whose value syntax does not show
		}
		if err := json.Unmarshal([]byte(value), &m.Value); err != nil {
			r.failf(0, "invalid JSON %s: %v; quote strings with \"", value, err)
		}
		return
	}
	text := value
	if strings.HasPrefix(m.Name, "k8s:") {
		text, _, _ = strings.Cut(text, "#") // a comment
	}
	text = strings.TrimSpace(text)
	var err error
	if m.Kind == WholeInt {
		var n int
		n, err = strconv.Atoi(text)
		m.Value = int64(n)
	} else {
		var n float64
		n, err = strconv.ParseFloat(text, 64)
		if math.IsNaN(n) || math.IsInf(n, 0) {
			err = strconv.ErrRange
		}
		m.Value = n
	}
	if err != nil {
		r.failf(0, "want %s, found %s, as in %s", m.Kind, strconv.Quote(text), m.example())
	}
}
