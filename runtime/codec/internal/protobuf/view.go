package protobuf

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// errView is the error for the body of a view that API servers do not write: there is no exact decoder of views.
var errView = errors.New("invalid protobuf, or protobuf that API servers do not write, of an object that is read as a view")

// View decodes objects of a kind into a struct with some fields of the kind's type, which has no protobuf methods, and
// lists of them. It is safe for concurrent use.
type View struct{ object, list *layout }

// NewView returns the view that decodes into values of the struct types object and list.
//
// Numbers has the number of each field that the struct has, as words PATH=NUMBER. A path consists of the JSON names of
// the field and of those above it, with dots between them. A field that is in another message in protobuf, because the
// kind's type embeds a struct, has the number of that message before its own, as in "2.19".
func NewView(object, list reflect.Type, numbers string) (*View, error) {
	c := viewCompiler{map[string][]int{}}
	for _, word := range strings.Fields(numbers) {
		path, text, _ := strings.Cut(word, "=")
		for part := range strings.SplitSeq(text, ".") {
			n, err := strconv.Atoi(part)
			if err != nil || n < 1 || n > mostFields {
				return nil, fmt.Errorf("invalid number of a field in %q", word)
			}
			c.numbers[path] = append(c.numbers[path], n)
		}
	}
	compiling.Lock()
	defer compiling.Unlock()
	v := &View{object: c.layout(object, ""), list: &layout{typ: list, view: true}}
	for i := range list.NumField() {
		f := field{offset: list.Field(i).Offset}
		switch t := list.Field(i).Type; {
		case t == reflect.TypeFor[metav1.ListMeta]():
			f.of(t, nil)
			v.list.set(metaNumber, f)
		case t.Kind() == reflect.Slice && t.Elem() == object:
			f.of(t, func(reflect.Type) *layout { return v.object })
			f.objects = true
			v.list.set(itemsNumber, f)
		}
	}
	if len(v.list.fields) <= itemsNumber {
		return nil, fmt.Errorf("type %v is not a list of %v", list, object)
	}
	return v, c.missing(object)
}

// has reports whether an object is one of the view, or a list of them.
func (v *View) has(object runtime.Object) bool {
	if v == nil {
		return false
	}
	t := reflect.TypeOf(object)
	return t == reflect.PointerTo(v.object.typ) || t == reflect.PointerTo(v.list.typ)
}

// isTagged reports whether a struct has numbers of its own. A struct without them can have the methods of one that it
// embeds.
func isTagged(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("protobuf") != "" {
			return true
		}
	}
	return false
}

// viewCompiler makes layouts of the structs in a view.
type viewCompiler struct {
	numbers map[string][]int // by the paths of fields; removed once they are used
}

// missing returns an error for numbers that no field has used.
func (c *viewCompiler) missing(t reflect.Type) error {
	for path := range c.numbers {
		return fmt.Errorf("type %v has no field %s", t, path)
	}
	return nil
}

// layout returns the layout of a struct below a path. Its caller holds compiling.
func (c *viewCompiler) layout(t reflect.Type, path string) *layout {
	made := &layout{typ: t, view: true, cut: true}
	c.fields(made, t, 0, path)
	return made
}

// fields adds the fields of a struct at an offset in a layout's.
func (c *viewCompiler) fields(to *layout, t reflect.Type, offset uintptr, path string) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if sf.Type.Kind() == reflect.Struct && (sf.Anonymous && name == "" || options == "inline") {
			c.fields(to, sf.Type, offset+sf.Offset, path)
			continue
		}
		if name == "" {
			name = sf.Name
		}
		at := path + name
		numbers := c.numbers[at]
		delete(c.numbers, at)
		if len(numbers) == 0 {
			continue
		}
		in := to
		for _, number := range numbers[:len(numbers)-1] {
			in = in.within(number)
		}
		f := field{offset: offset + sf.Offset}
		if f.of(sf.Type, func(t reflect.Type) *layout { return c.layout(t, at+".") }) {
			in.set(numbers[len(numbers)-1], f)
		} else {
			c.numbers[at+" of a type that can be decoded"] = numbers
		}
	}
}

// within returns the layout of a message in that of t whose fields are t's own.
func (t *layout) within(number int) *layout {
	if number < len(t.fields) && t.fields[number].op != opNone {
		return t.fields[number].sub
	}
	sub := &layout{typ: t.typ, view: true, cut: true}
	t.set(number, field{wire: asBytes, value: value{op: opMessage, typ: t.typ, size: t.typ.Size(), sub: sub}})
	return sub
}

// set sets the field with a number.
func (t *layout) set(number int, f field) {
	t.fields = append(t.fields, make([]field, max(0, number+1-len(t.fields)))...)
	t.fields[number] = f
}

// layoutOf returns the layout of a struct type, or nil if it has none.
func (d *Decoder) layoutOf(t reflect.Type) *layout {
	switch {
	case d.View == nil:
	case t == d.View.object.typ:
		return d.View.object
	case t == d.View.list.typ:
		return d.View.list
	}
	return layoutOf(t)
}

// resets reports whether reset can be called with an object.
func (t *layout) resets(object runtime.Object) bool {
	_, ok := object.(resetter)
	return ok || t.view
}

// reset empties an object.
func (t *layout) reset(object runtime.Object) {
	if t.view {
		reflect.ValueOf(object).Elem().SetZero()
		return
	}
	object.(resetter).Reset()
}

// merge adds the fields of a message to an object: by the method of its type, whose error it returns.
func (t *layout) merge(object runtime.Object, text []byte) error {
	if !t.view {
		return object.(message).Unmarshal(text)
	}
	var s session
	if !s.message(t, memory.Of(reflect.ValueOf(object)), text) {
		return errView
	}
	return nil
}
