package table

import (
	"bytes"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// timeOf decodes a time or duration.
func (d *Decoder) timeOf(v *value, p memory.Place, i int) int {
	if d.Text[i] != '"' {
		return d.invalid(i)
	}
	s, _, next := d.String(i)
	if next < 0 {
		return bad
	}
	var err error
	switch v.op {
	case opTime:
		memory.As[metav1.Time](p).Time, err = instant(s)
	case opTimePtr:
		t := d.timeRoom()
		*memory.As[*metav1.Time](p) = t
		t.Time, err = instant(s)
	case opMicroTime:
		var t time.Time
		if t, err = time.Parse(metav1.RFC3339Micro, string(s)); err == nil {
			memory.As[metav1.MicroTime](p).Time = t.Local()
		}
	default:
		memory.As[metav1.Duration](p).Duration, err = time.ParseDuration(string(s))
	}
	if err != nil {
		return d.invalid(i)
	}
	return next
}

// timeRoom returns room for a time that the object points to. All of an object are allocated at once, if there are
// as many as in the last one.
func (d *Decoder) timeRoom() *metav1.Time {
	if len(d.times) == 0 {
		n := 1
		if d.sizes != nil {
			n = max(1, d.sizes.times-d.used.times)
		}
		d.times = make([]metav1.Time, n)
	}
	d.used.times++
	t := &d.times[0]
	d.times = d.times[1:]
	return t
}

// instant parses a time.
func instant(s []byte) (time.Time, error) {
	if seconds, ok := jsonscan.Seconds(s); ok {
		return time.Unix(seconds, 0), nil
	}
	t, err := time.Parse(time.RFC3339, string(s))
	return t.Local(), err
}

func (d *Decoder) intOrString(of *slot, p memory.Place, i int) int {
	out := memory.As[intstr.IntOrString](p)
	if d.Text[i] == '"' {
		text, _, next := d.text(&of.guess, of, i)
		if next >= 0 {
			out.Type, out.StrVal = intstr.String, text
		}
		return next
	}
	n, next := jsonscan.Integer(d.Text, i)
	if next < 0 || n != int64(int32(n)) {
		return d.invalid(i)
	}
	out.IntVal = int32(n)
	return next
}

func (d *Decoder) quantity(out *resource.Quantity, i int) int {
	next := jsonscan.Value(d.Text, i)
	if next < 0 {
		return bad
	}
	var err error
	if d.Stream.Level == intern.All {
		*out, err = d.amounts.Get(d.Text[i:next], parseQuantity)
	} else {
		*out, err = parseQuantity(d.Text[i:next])
	}
	if err != nil {
		return d.invalid(i)
	}
	if d.shared {
		_ = out.String() // sets its text, which readers of a shared one must not do
	}
	return next
}

func parseQuantity(raw []byte) (q resource.Quantity, err error) {
	err = q.UnmarshalJSON(raw)
	return q, err
}

// raw decodes a value that is its text.
func (d *Decoder) raw(v *value, p memory.Place, i int) int {
	next := jsonscan.Value(d.Text, i)
	switch {
	case next < 0:
	case v.op == opRawMessage:
		*memory.As[[]byte](p) = bytes.Clone(d.Text[i:next])
	case d.Text[i] != 'n':
		memory.As[runtime.RawExtension](p).Raw = bytes.Clone(d.Text[i:next])
	}
	return next
}

// fieldsV1 decodes a pointer to a FieldsV1, which is its text. A text that came before is valid.
func (d *Decoder) fieldsV1(p memory.Place, i int) int {
	known := d.Stream.Likely(d.Text[i:])
	var raw []byte
	if known != nil {
		raw = known.Raw()
	} else {
		next := jsonscan.Value(d.Text, i)
		if next < 0 {
			return bad
		}
		raw = d.Text[i:next]
		known = d.Stream.Fields(raw)
	}
	if d.Stream.Share && known != nil {
		*memory.As[*metav1.FieldsV1](p) = known.Typed()
		return i + len(raw)
	}
	if len(d.parts) == 0 {
		n := 1
		if d.sizes != nil {
			n = max(1, d.sizes.parts-d.used.parts)
		}
		d.parts = make([]metav1.FieldsV1, n)
	}
	d.used.parts++
	if d.Stream.ShareTexts && known != nil {
		d.parts[0] = *known.Typed()
	} else {
		intern.SetFields(&d.parts[0], raw, &d.raws)
	}
	*memory.As[*metav1.FieldsV1](p) = &d.parts[0]
	d.parts = d.parts[1:]
	return i + len(raw)
}
