package protobuf

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/intern"
	"github.com/listwatch/listwatch/runtime/codec/internal/memory"
)

// time decodes a time: an encoded metav1.Timestamp, which is empty if the time is zero.
func (s *session) time(o op, p memory.Place, text []byte) bool {
	var seconds int64
	var nanoseconds int32
	for i := 0; i < len(text); {
		t := text[i]
		n, next := varint(text, i+1)
		switch {
		case next < 0:
			return false
		case t == tag(1, asVarint):
			seconds = int64(n)
		case t == tag(2, asVarint):
			nanoseconds = int32(n)
		default:
			return false
		}
		i = next
	}
	var at time.Time
	if len(text) > 0 {
		if o != opMicroTime {
			nanoseconds = 0
		}
		at = time.Unix(seconds, int64(time.Duration(nanoseconds).Truncate(time.Microsecond))).Local()
	}
	switch o {
	case opTime:
		memory.As[metav1.Time](p).Time = at
	case opMicroTime:
		memory.As[metav1.MicroTime](p).Time = at
	default:
		// A pointer that is there is not written through: if it is merged, it is replaced as a whole.
		to := s.timeRoom()
		to.Time = at
		*memory.As[*metav1.Time](p) = to
	}
	return true
}

// timeRoom returns room for a time that the object points to. All of an object are allocated at once, if there are
// as many as in the last one.
func (s *session) timeRoom() *metav1.Time {
	if len(s.times) == 0 {
		n := 1
		if s.sizes != nil {
			n = max(1, int(s.sizes.times.Load())-s.used.times)
		}
		s.times = make([]metav1.Time, n)
	}
	s.used.times++
	t := &s.times[0]
	s.times = s.times[1:]
	return t
}

// fieldsV1 decodes a pointer to a FieldsV1, which has one field.
func (s *session) fieldsV1(p memory.Place, text []byte) bool {
	at := memory.As[*metav1.FieldsV1](p)
	if *at != nil {
		return false // it is merged
	}
	var raw []byte
	if len(text) > 0 {
		var end int
		if text[0] != tag(1, asBytes) {
			return false
		}
		if raw, end = content(text, 1); end != len(text) || len(raw) == 0 {
			return false
		}
	}
	var shared *metav1.FieldsV1
	if s.stream.ShareTexts {
		if known := s.stream.Fields(raw); known != nil {
			shared = known.Typed()
		}
	}
	if s.stream.Share && shared != nil {
		*at = shared
		return true
	}
	if len(s.parts) == 0 {
		n := 1
		if s.sizes != nil {
			n = max(1, int(s.sizes.parts.Load())-s.used.parts)
		}
		s.parts = make([]metav1.FieldsV1, n)
	}
	s.used.parts++
	*at = &s.parts[0]
	s.parts = s.parts[1:]
	if shared != nil {
		**at = *shared
	} else if len(raw) > 0 {
		intern.SetFields(*at, raw, &s.raws)
	}
	return true
}

// quantity decodes a quantity, which has one field.
func (s *session) quantity(text []byte) (q resource.Quantity, ok bool) {
	if len(text) == 0 {
		return q, true
	}
	if text[0] != tag(1, asBytes) {
		return q, false
	}
	raw, end := content(text, 1)
	if end != len(text) {
		return q, false
	}
	q, err := s.quantities.Get(raw, s.parse)
	return q, err == nil
}

// parse parses a quantity. Those that objects may share get their text, which readers of a shared one must not set.
func (s *session) parse(raw []byte) (resource.Quantity, error) {
	parsed, err := resource.ParseQuantity(string(raw))
	if err == nil && s.stream.Share {
		_ = parsed.String()
	}
	return parsed, err
}
