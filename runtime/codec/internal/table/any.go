package table

import (
	"bytes"
	"strconv"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// Begin begins an untyped value in text: positions of [Decoder.Any] are in it.
func (d *Decoder) Begin(text []byte) {
	d.Text, d.depth, d.FailedAt, d.Invalid = text, 0, bad, false
	d.tookUntyped()
	d.untyped, d.kept = true, nil
	d.arena.Reset(d.expected)
	d.members, d.untypeds = d.members[:0], d.untypeds[:0]
}

// tookUntyped remembers what the last value took, if it is untyped.
func (d *Decoder) tookUntyped() {
	if d.untyped {
		d.expected = expect(d.expected, d.arena.Used)
		d.untyped = false
	}
}

// within is where an untyped value is in an object.
type within uint8

const (
	elsewhere  within = iota
	asWhole           // it is the object
	asMetadata        // it is the object's metadata
)

// AnyWhole is Any for a whole object.
func (d *Decoder) AnyWhole(i int) (any, int) {
	d.enter(asWhole, i)
	if d.Kept != nil {
		d.kept = d.Kept.Object
	}
	return d.Any(i)
}

// AnyMember is Any for the member of that name at the top of an object. It reports whether the member is kept; it has
// been skipped otherwise.
func (d *Decoder) AnyMember(name []byte, i int) (v any, kept bool, next int) {
	if d.Kept != nil {
		if d.kept, kept = d.Kept.Object.Child(string(name)); !kept {
			return nil, false, jsonscan.Value(d.Text, i)
		}
	}
	if string(name) == "metadata" {
		d.enter(asMetadata, i)
	}
	v, next = d.Any(i)
	return v, true, next
}

// enter remembers where the value at i is, if that matters for it.
func (d *Decoder) enter(w within, i int) {
	if d.WithoutManaged && i < len(d.Text) && d.Text[i] == '{' {
		d.within = w
	}
}

// Any decodes the value at i, with whole numbers as int64.
func (d *Decoder) Any(i int) (any, int) {
	b := d.Text
	kept := d.kept
	d.kept = nil
	if i >= len(b) {
		return nil, d.stop(i)
	}
	switch b[i] {
	case '{':
		return d.anyObject(kept, i)
	case '[':
		return d.anyArray(kept, i)
	case '"':
		s, h, next := d.String(i)
		if next < 0 {
			return nil, d.stop(i)
		}
		return d.anyString(s, h), next
	case 't', 'f':
		v, next := jsonscan.Bool(b, i)
		return v, d.orStop(next, i)
	case 'n':
		return nil, d.orStop(jsonscan.Null(b, i), i)
	}
	next := jsonscan.Number(b, i)
	if next < 0 {
		return nil, d.stop(i)
	}
	v, err := number(b[i:next])
	if err != nil {
		return nil, d.invalid(i)
	}
	return v, next
}

// number returns the value of an untyped number.
func number(raw []byte) (any, error) {
	if bytes.IndexByte(raw, '.') < 0 {
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return n, nil
		}
	}
	return strconv.ParseFloat(string(raw), 64)
}

// anyString returns s as an untyped value.
func (d *Decoder) anyString(s []byte, hash uint64) any {
	if known, came := d.Stream.Untyped(s, hash); came {
		return known
	}
	return d.arena.String(s)
}

func (d *Decoder) anyArray(kept *fields.Node, i int) (any, int) {
	if d.depth++; d.depth > jsonscan.Depth {
		return nil, d.stop(i)
	}
	if kept != nil && kept == d.Kept.Metadata {
		elsewhere := *kept
		kept = &elsewhere // no metadata is a list, and so has no mark
	}
	first := len(d.untypeds)
	i = d.Elements(i, func(i int) int {
		d.kept = kept
		v, next := d.Any(i)
		if next >= 0 {
			d.untypeds = append(d.untypeds, v)
		}
		return next
	})
	d.depth--
	list := append(make([]any, 0, len(d.untypeds)-first), d.untypeds[first:]...)
	clear(d.untypeds[first:])
	d.untypeds = d.untypeds[:first]
	return list, i
}

// anyFields is Any for a FieldsV1. Equal ones are one in memory.
func (d *Decoder) anyFields(i int) (any, int) {
	if known := d.Stream.Likely(d.Text[i:]); known != nil && known.Untyped != nil {
		return known.Untyped, i + len(known.Raw())
	}
	v, next := d.anyObject(nil, i)
	if next < 0 {
		return nil, next
	}
	known := d.Stream.Fields(d.Text[i:next])
	if known == nil {
		return v, next
	}
	if known.Untyped == nil {
		known.Untyped = v
	}
	return known.Untyped, next
}

// areStrings reports whether there are members, and all are strings.
func areStrings(members []intern.Member) bool {
	for _, m := range members {
		if _, ok := m.Value.(string); !ok {
			return false
		}
	}
	return len(members) > 0
}

// anyObject decodes what kept has of an object, everything if it is nil.
func (d *Decoder) anyObject(kept *fields.Node, i int) (any, int) {
	if d.depth++; d.depth > jsonscan.Depth {
		return nil, d.stop(i)
	}
	first, start := len(d.members), i
	sharing := d.Stream.Shares()
	in := d.within
	d.within = elsewhere
	i = d.Members(i, func(name []byte, hash uint64, i int) int {
		switch {
		case in == asMetadata && string(name) == "managedFields":
			return jsonscan.Value(d.Text, i)
		case in == asWhole && string(name) == "metadata":
			d.enter(asMetadata, i)
		}
		if kept != nil {
			var has bool
			if d.kept, has = kept.Child(string(name)); !has {
				return jsonscan.Value(d.Text, i)
			}
		}
		m := intern.Member{Name: d.Key(name, hash)}
		var next int
		if sharing && d.kept == nil && m.Name == "fieldsV1" && d.Text[i] == '{' {
			m.Value, next = d.anyFields(i)
		} else {
			m.Value, next = d.Any(i)
		}
		if next >= 0 {
			d.members = append(d.members, m)
		}
		return next
	})
	d.depth--
	var made map[string]any
	if kept != nil && kept == d.Kept.Metadata {
		d.members = append(d.members, intern.Member{Name: "selfLink", Value: d.Kept.Mark})
	}
	if sharing && kept == nil && i >= 0 && d.depth > 0 && areStrings(d.members[first:]) {
		made = d.Stream.Object(d.Text[start:i], d.members[first:])
	} else {
		made = intern.NewObject(d.members[first:])
	}
	clear(d.members[first:])
	d.members = d.members[:first]
	return made, i
}
