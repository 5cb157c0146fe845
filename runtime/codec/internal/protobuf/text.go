package protobuf

import (
	"bytes"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Text is a typed object of a list or a watch that is not decoded: its message, which can be decoded. It is for caches that store
// messages.
//
// Its metadata has the name, the namespace, the UID and the resource version. Of a list, Message and what [Text.RawLabels]
// returns are valid until the function that got the object returns.
type Text struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	// Message is the object's message, without an envelope. If managedFields are skipped, it has none.
	Message []byte

	layout *layout
	labels []byte // the entries, each after a tag
}

var (
	_ runtime.Object = (*Text)(nil)
	_ metav1.Object  = (*Text)(nil)
)

// Type returns the type of the decoded object, a pointer to a struct.
func (t *Text) Type() reflect.Type { return reflect.PointerTo(t.layout.typ) }

// RawLabels returns a part of the message that texts with equal labels have in common, unless their entries are in another order.
func (t *Text) RawLabels() []byte { return t.labels }

// GetLabels returns the labels, in a new map.
func (t *Text) GetLabels() map[string]string {
	if len(t.labels) == 0 {
		return nil
	}
	labels := map[string]string{}
	var key, value []byte
	for i := 1; i > 0 && i < len(t.labels); {
		key, value, i = entry(t.labels, i)
		if i > 0 {
			labels[string(key)] = string(value)
		}
	}
	return labels
}

// DeepCopyObject implements [runtime.Object].
func (t *Text) DeepCopyObject() runtime.Object {
	c := *t
	t.DeepCopyInto(&c.ObjectMeta)
	c.Message, c.labels = append([]byte(nil), t.Message...), append([]byte(nil), t.labels...)
	return &c
}

// Decode returns the decoded object, which does not reference the text.
func (t *Text) Decode() (runtime.Object, error) {
	v := reflect.New(t.layout.typ)
	object := v.Interface().(resetterObject)
	s := new(session)
	if s.object(t.layout, v, t.Message) {
		return object, nil
	}
	object.Reset()
	return object, object.Unmarshal(t.Message)
}

// resetterObject is what types of objects with a layout implement.
type resetterObject interface {
	runtime.Object
	resetter
}

// The numbers of fields in an object and in its metadata.
const (
	objectMetaNumber = 1
	nameNumber       = 1
	namespaceNumber  = 3
	uidNumber        = 5
	versionNumber    = 6
	labelsNumber     = 11
)

// asText returns the text of a message. It returns nil if it is not sure that the message can be decoded, or the text would need a
// change. The text references the message unless own is set.
func (s *session) asText(t *layout, message []byte, own bool) *Text {
	if t.why != "" || len(t.fields) <= objectMetaNumber || t.fields[objectMetaNumber].typ != reflect.TypeFor[metav1.ObjectMeta]() {
		return nil
	}
	if _, ok := reflect.Zero(reflect.PointerTo(t.typ)).Interface().(resetterObject); !ok {
		return nil
	}
	valid := s.check(t, message)
	if s.depth = 0; !valid {
		return nil
	}
	if s.withoutManaged {
		if message = withoutManaged(message); message == nil {
			return nil
		}
	} else if own {
		message = append([]byte(nil), message...)
	}
	text := &Text{Message: message, layout: t}
	if !text.read() {
		return nil
	}
	return text
}

// metadata returns the metadata in a checked message, and where it begins and ends with its tag; nil if there is none, or not first.
func metadata(message []byte) (content []byte, end int) {
	if len(message) == 0 || message[0] != tag(objectMetaNumber, asBytes) {
		return nil, 0
	}
	n, i := varint(message, 1)
	end = i + int(n)
	return message[i:end], end
}

// read reads what identifies and selects the object. It returns false if its labels are not one after the other.
func (t *Text) read() bool {
	meta, _ := metadata(t.Message)
	if meta == nil {
		return false
	}
	var name, namespace, uid, version []byte
	labelsFrom, labelsTo := 0, 0
	for i := 0; i < len(meta); {
		start := i
		tag, next := varint(meta, i)
		if tag&7 != asBytes {
			i = skip(meta, next, tag)
			continue
		}
		var value []byte
		value, i = content(meta, next)
		switch tag >> 3 {
		case nameNumber:
			name = value
		case namespaceNumber:
			namespace = value
		case uidNumber:
			uid = value
		case versionNumber:
			version = value
		case labelsNumber:
			if labelsTo == 0 {
				labelsFrom = start
			} else if labelsTo != start {
				return false
			}
			labelsTo = i
		}
	}
	all := make([]byte, 0, 128)
	all = append(append(append(append(all, name...), namespace...), uid...), version...)
	text := string(all)
	cut := func(n int) (part string) {
		part, text = text[:n], text[n:]
		return part
	}
	t.Name, t.Namespace = cut(len(name)), cut(len(namespace))
	t.UID, t.ResourceVersion = types.UID(cut(len(uid))), cut(len(version))
	t.labels = meta[labelsFrom:labelsTo:labelsTo]
	return true
}

// withoutManaged returns a copy of a checked message without managedFields; nil if its metadata is not first.
func withoutManaged(message []byte) []byte {
	meta, end := metadata(message)
	if meta == nil {
		return nil
	}
	rest := message[end:]
	out := make([]byte, 0, len(message))
	kept := 0
	for pass := range 2 {
		for i := 0; i < len(meta); {
			start := i
			tag, next := varint(meta, i)
			i = skip(meta, next, tag)
			if tag == managedNumber<<3|asBytes {
				continue
			}
			if pass == 0 {
				kept += i - start
			} else {
				out = append(out, meta[start:i]...)
			}
		}
		if pass == 0 {
			out = appendVarint(append(out, tag(objectMetaNumber, asBytes)), uint64(kept))
		}
	}
	return append(out, rest...)
}

// Text is Decode without decoding the object; the text references nothing of the body. It returns nil unless the
// object is the whole of a message that can be decoded.
func (d *Decoder) Text(body []byte) *Text {
	encoded, ok := bytes.CutPrefix(body, prefix)
	if !ok || !d.Texts || d.own == nil || d.View != nil || d.Kept != nil {
		return nil
	}
	e, ok := readEnvelope(encoded)
	if !ok {
		return nil
	}
	s := d.own
	if last := &s.last; last.scheme != d.Scheme || last.typeMeta != string(e.typeMeta) {
		if _, ok := s.begun(d, e.typeMeta, nil); !ok {
			return nil
		}
	}
	s.withoutManaged = d.WithoutManaged
	defer s.drop()
	return s.asText(s.last.layout, e.raw, true)
}

// textOf returns the text of an item, nil if it is to be decoded.
func (l *lister) textOf(s *session, message []byte) runtime.Object {
	if !l.texts {
		return nil
	}
	if text := s.asText(l.item, message, false); text != nil {
		return text
	}
	return nil
}
