package codec

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// slice decodes an array, whose elements one decodes, into a slice of the exact length. Until that
// is known, they are in held, which is reused: elements must not contain slices of their own kind.
func slice[T any](s *scratch, held *[]T, out *[]T, one func(*T) error) error {
	if *out != nil || s.dec.PeekKind() != '[' {
		return s.general(out)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	all := (*held)[:0]
	for s.dec.PeekKind() != ']' {
		var none T
		all = append(all, none)
		if err := one(&all[len(all)-1]); err != nil {
			return err
		}
	}
	*out = append(make([]T, 0, len(all)), all...)
	clear(all)
	*held = all
	_, err := s.dec.ReadToken()
	return err
}

func (s *scratch) ownerReference(r *metav1.OwnerReference) error {
	return s.members(r, func(name []byte) error {
		switch string(name) {
		case "apiVersion":
			return likely(s, &r.APIVersion)
		case "kind":
			return likely(s, &r.Kind)
		case "name":
			return likely(s, &r.Name)
		case "uid":
			return likely(s, &r.UID)
		case "controller":
			return s.flag(&r.Controller)
		case "blockOwnerDeletion":
			return s.flag(&r.BlockOwnerDeletion)
		default:
			return s.dec.SkipValue()
		}
	})
}

// flag decodes a pointer to a bool.
func (s *scratch) flag(out **bool) error {
	if k := s.dec.PeekKind(); *out == nil && (k == 't' || k == 'f') {
		_, err := s.dec.ReadToken()
		v := k == 't'
		*out = &v
		return err
	}
	return s.general(out)
}

// int64 decodes a whole number.
func (s *scratch) int64(out *int64) error {
	if s.dec.PeekKind() == '0' {
		raw, err := s.dec.ReadValue()
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err == nil {
			*out = n
			return nil
		}
		return at(s.dec, json.Unmarshal(raw, out))
	}
	return s.general(out)
}

func (s *scratch) condition(c *metav1.Condition) error {
	return s.members(c, func(name []byte) error {
		switch string(name) {
		case "type":
			return likely(s, &c.Type)
		case "status":
			return likely(s, &c.Status)
		case "observedGeneration":
			return s.int64(&c.ObservedGeneration)
		case "lastTransitionTime":
			return decodeTime(s.dec, &c.LastTransitionTime)
		case "reason":
			return likely(s, &c.Reason)
		case "message":
			return likely(s, &c.Message)
		default:
			return s.dec.SkipValue()
		}
	})
}

// withoutConditions keeps go-json-experiment/json from calling decodeConditions.
var withoutConditions = json.WithUnmarshalers(json.UnmarshalFromFunc(decodeTime))

// decodeConditions decodes the conditions that almost every status has.
func decodeConditions(dec *jsontext.Decoder, out *[]metav1.Condition) error {
	if !conditionIsKnown || *out != nil || dec.PeekKind() != '[' {
		return json.UnmarshalDecode(dec, out, withoutConditions)
	}
	s := bytesPool.Get().(*scratch)
	own := s.dec
	s.dec = dec
	err := slice(s, &s.conditions, out, s.condition)
	s.dec = own
	bytesPool.Put(s)
	return err
}

func decodeDuration(dec *jsontext.Decoder, d *metav1.Duration) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if raw[0] == '"' && isPlain(raw) {
		if parsed, err := time.ParseDuration(string(raw[1 : len(raw)-1])); err == nil {
			d.Duration = parsed
			return nil
		}
	}
	return at(dec, d.UnmarshalJSON(raw))
}
