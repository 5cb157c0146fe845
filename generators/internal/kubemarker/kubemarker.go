// Package kubemarker parses the comment markers from which CustomResourceDefinitions, roles and configurations of
// webhooks are generated: kubebuilder's, and those of Kubernetes that controller-gen v0.23 reads.
//
// # Terms
//
// A marker is a line comment that starts with a plus sign. It is one of
//
//	+name
//	+name=value
//	+name:argument=value,argument=value
//
// A [Definition] describes one marker: its name, the [Place] where it can stand, the [Kind] of its
// value or the arguments with theirs, and the types of schemas that it fits. [Definitions] lists them.
//
// # Operations
//
// [Lookup] finds the definition of a marker at a place, [Parse] reads its values, and [Unknown]
// explains a marker that has no definition there.
//
// # Values
//
// A string is quoted as in Go, with " or `, or bare: then it ends before a comma, semicolon or closing
// brace. A list is a;b or {a,b}. A value of any type is what it looks like: true, 1, 1.5, a string, a
// list, or an object {a: 1, b: {c: d}}. The value of +default is JSON. A marker ends with its line.
package kubemarker

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// Place is a set of places where a marker can stand.
type Place int

// The places: comments of packages, above types, and above fields of structs; and for markers about programs, comments
// of packages that need not be API packages.
const (
	OnPackage Place = 1 << iota
	OnType
	OnField
	OnProgram
)

// String returns the first place of the set as a noun.
func (p Place) String() string {
	switch {
	case p&OnField != 0:
		return "field"
	case p&OnType != 0:
		return "type"
	}
	return "package"
}

// Kind is the kind of a value.
type Kind int

// The kinds. Values are int64, float64, string, bool, []string, []any, or for Any and JSON one of
// these, a map[string]any, or nil.
const (
	None Kind = iota
	Int
	Number
	String
	Bool
	Any
	Strings
	Anys
	JSON
	// WholeInt and WholeNumber are numbers without quotes that fill the whole value.
	WholeInt
	WholeNumber
)

// String returns the kind with its article, for messages.
func (k Kind) String() string {
	switch k {
	case Int, WholeInt:
		return "an integer"
	case Number, WholeNumber:
		return "a number"
	case String:
		return "a string"
	case Bool:
		return "true or false"
	case Strings:
		return "a list of strings"
	case Anys:
		return "a list"
	case JSON:
		return "JSON"
	case Any:
		return "a value"
	}
	return "no value"
}

// Shape is a set of types of schemas.
type Shape int

// The shapes. IntOrString is a schema with x-kubernetes-int-or-string.
const (
	Textual Shape = 1 << iota
	Integer
	Fraction
	Boolean
	Array
	Object
	IntOrString
	Untyped // no type
)

// Numeric is the shape of numbers.
const Numeric = Integer | Fraction

// Argument is a named argument of a marker.
type Argument struct {
	Name     string
	Kind     Kind
	Optional bool
}

// Definition describes a marker.
type Definition struct {
	Name   string
	Places Place
	// Kind is the kind of the value in +name=value; None for a marker with Arguments or without
	// values.
	Kind Kind
	// Optional reports whether the value can be missing.
	Optional  bool
	Arguments []Argument
	// Fits are the shapes of schemas to which the marker applies; 0 for all.
	Fits Shape
	// Example is a valid marker, for messages.
	Example string
}

// Marker is a parsed marker.
type Marker struct {
	*Definition
	// Items reports whether the marker describes the items of a list, as with
	// +kubebuilder:validation:items:Pattern.
	Items bool
	// Value is the value in +name=value; nil if there is none.
	Value any
	// Values are the values of the arguments that are set.
	Values map[string]any
	// columns are the columns of these values, from that of Pos on.
	columns map[string]int
	// Text is the marker with its plus sign, and Pos its position.
	Text string
	Pos  token.Position
}

// Argument returns the string value of an argument; empty if it is not set.
func (m *Marker) Argument(name string) string {
	s, _ := m.Values[name].(string)
	return s
}

// Strings returns the value of an argument that is a list of strings; nil if it is not set.
func (m *Marker) Strings(name string) []string {
	list, _ := m.Values[name].([]string)
	return list
}

// At returns the position of the value of an argument, or of the marker if it is not set.
func (m *Marker) At(name string) token.Position {
	pos := m.Pos
	pos.Column += m.columns[name]
	return pos
}

// Written returns the name of the marker as it is written.
func (m *Marker) Written() string {
	if !m.Items {
		return m.Name
	}
	return itemsPrefix + strings.TrimPrefix(m.Name, validation)
}

// Error is an error in the text of a marker.
type Error struct {
	// Pos is the position of the fault.
	Pos     token.Position
	Message string
}

func (e *Error) Error() string { return e.Message }

const (
	validation  = "kubebuilder:validation:"
	itemsPrefix = validation + "items:"
)

// IsMarker reports whether a line of a comment is a marker: only those in line comments are.
func IsMarker(line load.Line) bool {
	return !line.Block && strings.HasPrefix(strings.TrimSpace(line.Text), "+")
}

// split returns the name of a marker in full, the name without its last part, and the value. In
// "+a:b=c", these are "a:b", "a" and "c".
func split(text string) (full, parent, value string) {
	full, value, _ = strings.Cut(text[1:], "=")
	parent = full
	if colon := strings.LastIndexByte(full, ':'); colon >= 0 && strings.Contains(text, "=") {
		parent = full[:colon]
	}
	return full, parent, value
}

// Lookup returns the definition of a marker at a place, and nil if it has none. Items reports whether
// the marker describes the items of a list.
func Lookup(text string, place Place) (def *Definition, items bool) {
	full, parent, _ := split(text)
	if def, items := find(full, place); def != nil {
		return def, items
	}
	return find(parent, place)
}

// find returns the definition with a name at a place.
func find(name string, place Place) (def *Definition, items bool) {
	if rest, ok := strings.CutPrefix(name, itemsPrefix); ok {
		def := byName[validation+rest]
		if def == nil || !def.repeatable() || def.Places&place == 0 {
			return nil, false
		}
		return def, true
	}
	for def := byName[name]; def != nil; def = def.next() {
		if def.Places&place != 0 {
			return def, false
		}
	}
	return nil, false
}

// Parse reads the values of a marker whose definition is def. The error is an [*Error].
func Parse(def *Definition, items bool, text string, pos token.Position) (*Marker, error) {
	m := &Marker{Definition: def, Items: items, Text: text, Pos: pos}
	full, _, value := split(text)
	if def.Kind == None && len(def.Arguments) == 0 && value == "" {
		return m, nil
	}
	at := len(text) - len(value) // the offset of the value in the text
	name := m.Written()
	p := newReader(value)
	switch {
	case def.Kind == WholeInt || def.Kind == WholeNumber || def.Kind == JSON:
		whole(p, m, value)
	case def.Kind != None && value != "":
		m.Value = p.value(def.Kind)
		p.end()
	case def.Kind == None && len(def.Arguments) > 0 && full != name:
		// The first argument's name is part of what looks like the marker's name.
		at = len(name) + 2
		p = newReader(text[at:])
		m.arguments(p, at)
	case def.Kind == None && len(def.Arguments) > 0 && value != "":
		m.arguments(p, at)
	case def.Kind == None && len(def.Arguments) > 0 && strings.Contains(text, "="):
		p.failf(0, "+%s has nothing after =; remove it, or name arguments, as in %s", name, m.example())
	case def.Kind == None && value != "":
		p.failf(0, "+%s takes no value; remove =%s", name, value)
	}
	if p.err == nil {
		m.complete(p, value)
	}
	if p.err != nil {
		pos.Column += at + p.err.Pos.Offset
		pos.Offset = 0
		return nil, &Error{Pos: pos, Message: p.err.Message}
	}
	return m, nil
}

// arguments reads the values of arguments from a text that starts at an offset.
func (m *Marker) arguments(p *reader, at int) {
	m.Values, m.columns = p.arguments(m.Definition)
	for name := range m.columns {
		m.columns[name] += at
	}
	p.end()
}

// complete reports missing values.
func (m *Marker) complete(p *reader, value string) {
	if m.Kind != None && !m.Optional && value == "" {
		p.failf(0, "+%s has no value; want %s, as in %s", m.Written(), m.Kind, m.example())
		return
	}
	for _, a := range m.Arguments {
		if _, set := m.Values[a.Name]; !set && !a.Optional {
			p.failf(0, "+%s has no argument %s, as in %s", m.Written(), a.Name, m.example())
			return
		}
	}
}

// example returns an example of the marker.
func (m *Marker) example() string {
	if m.Items {
		return strings.Replace(m.Example, validation, itemsPrefix, 1)
	}
	return m.Example
}

// String returns the definition's name as it is written.
func (d *Definition) String() string { return fmt.Sprintf("+%s", d.Name) }

// String returns the shapes as nouns, for messages.
func (s Shape) String() string {
	if s == Numeric {
		return "numbers"
	}
	var all []string
	for i, name := range []string{"strings", "integers", "floating-point numbers", "booleans", "lists", "objects", "int-or-string values", "values without a type"} {
		if s&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, " and ")
}
