package codec

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// metaIsKnown reports whether ObjectMeta has exactly the fields that are decoded by name below. An
// ObjectMeta of another version is decoded by reflection.
var metaIsKnown = hasFields(reflect.TypeFor[metav1.ObjectMeta](),
	"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
	"generateName", "generation", "labels", "managedFields", "name", "namespace", "ownerReferences",
	"resourceVersion", "selfLink", "uid",
) && hasFields(reflect.TypeFor[metav1.ManagedFieldsEntry](),
	"apiVersion", "fieldsType", "fieldsV1", "manager", "operation", "subresource", "time",
) && hasFields(reflect.TypeFor[metav1.OwnerReference](),
	"apiVersion", "blockOwnerDeletion", "controller", "kind", "name", "uid",
)

// conditionIsKnown reports the same of conditions.
var conditionIsKnown = hasFields(reflect.TypeFor[metav1.Condition](),
	"lastTransitionTime", "message", "observedGeneration", "reason", "status", "type",
)

// hasFields reports whether the struct has the fields of these names (which are sorted), and no
// others.
func hasFields(t reflect.Type, names ...string) bool {
	fields, ok := fieldsOf(t)
	var have []string
	for _, f := range fields {
		have = append(have, f.name)
	}
	slices.Sort(have)
	return ok && slices.Equal(have, names)
}

// managed is an entry of managedFields together with the values it points to.
type managed struct {
	metav1.ManagedFieldsEntry
	time      metav1.Time
	fields    metav1.FieldsV1
	hasTime   bool
	hasFields bool
}

// objectMeta decodes metadata. Fields that are already set, because they are repeated, are merged
// by the general decoder.
func (s *scratch) objectMeta(m *metav1.ObjectMeta) error {
	return s.members(m, func(name []byte) error {
		switch string(name) {
		case "name":
			return unique(s, &m.Name)
		case "namespace":
			return likely(s, &m.Namespace)
		case "uid":
			return unique(s, &m.UID)
		case "resourceVersion":
			return unique(s, &m.ResourceVersion)
		case "generateName":
			return likely(s, &m.GenerateName)
		case "selfLink":
			link := m.GetSelfLink()
			err := unique(s, &link)
			m.SetSelfLink(link)
			return err
		case "creationTimestamp":
			return decodeTime(s.dec, &m.CreationTimestamp)
		case "labels":
			return s.stringMap(&m.Labels)
		case "annotations":
			return s.stringMap(&m.Annotations)
		case "managedFields":
			return s.managedFields(&m.ManagedFields)
		case "generation":
			return s.int64(&m.Generation)
		case "deletionTimestamp":
			return s.general(&m.DeletionTimestamp)
		case "deletionGracePeriodSeconds":
			return s.general(&m.DeletionGracePeriodSeconds)
		case "ownerReferences":
			return slice(s, &s.owners, &m.OwnerReferences, s.ownerReference)
		case "finalizers":
			return slice(s, &s.finalizers, &m.Finalizers, func(f *string) error { return likely(s, f) })
		default:
			return s.dec.SkipValue()
		}
	})
}

// general decodes a value into what out points to by reflection.
func (s *scratch) general(out any) error { return json.UnmarshalDecode(s.dec, out) }

// unique decodes a string that no other object has.
func unique[T ~string](s *scratch, out *T) error {
	if s.dec.PeekKind() != '"' {
		return s.general(out)
	}
	b, err := s.unquoted()
	if err == nil {
		*out = T(b)
	}
	return err
}

// likely decodes a string that other objects are likely to have.
func likely[T ~string](s *scratch, out *T) error {
	if s.dec.PeekKind() != '"' {
		return s.general(out)
	}
	b, err := s.unquoted()
	if err == nil {
		*out = T(s.intern(b))
	}
	return err
}

func (s *scratch) stringMap(out *map[string]string) error {
	if *out != nil || s.dec.PeekKind() != '{' {
		return s.general(out)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	s.pairs = s.pairs[:0]
	for s.dec.PeekKind() != '}' {
		var p pair
		name, err := s.unquoted()
		if err != nil {
			return err
		}
		p.name = s.intern(name)
		if err := likely(s, &p.value); err != nil {
			return err
		}
		s.pairs = append(s.pairs, p)
	}
	*out = make(map[string]string, len(s.pairs))
	for _, p := range s.pairs {
		(*out)[p.name] = p.value
	}
	_, err := s.dec.ReadToken()
	return err
}

func (s *scratch) managedFields(out *[]metav1.ManagedFieldsEntry) error {
	if *out != nil || s.dec.PeekKind() != '[' {
		return s.general(out)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	s.managed = s.managed[:0]
	for s.dec.PeekKind() != ']' {
		s.managed = append(s.managed, managed{})
		if err := s.managedEntry(&s.managed[len(s.managed)-1]); err != nil {
			return err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	// The values that the entries point to live as long as the entries: two allocations for all of
	// them.
	*out = make([]metav1.ManagedFieldsEntry, len(s.managed))
	held := make([]struct {
		time   metav1.Time
		fields metav1.FieldsV1
	}, len(s.managed))
	for i := range s.managed {
		from, to := &s.managed[i], &(*out)[i]
		*to = from.ManagedFieldsEntry
		held[i].time, held[i].fields = from.time, from.fields
		if from.hasTime {
			to.Time = &held[i].time
		}
		if from.hasFields {
			to.FieldsV1 = &held[i].fields
		}
	}
	return nil
}

func (s *scratch) managedEntry(e *managed) error {
	return s.members(&e.ManagedFieldsEntry, func(name []byte) error {
		switch string(name) {
		case "manager":
			return likely(s, &e.Manager)
		case "operation":
			return likely(s, &e.Operation)
		case "apiVersion":
			return likely(s, &e.APIVersion)
		case "fieldsType":
			return likely(s, &e.FieldsType)
		case "subresource":
			return likely(s, &e.Subresource)
		case "time":
			if e.hasTime = s.dec.PeekKind() != 'n'; e.hasTime {
				return decodeTime(s.dec, &e.time)
			}
			return s.dec.SkipValue()
		case "fieldsV1":
			if e.hasFields = s.dec.PeekKind() != 'n'; e.hasFields {
				return s.general(&e.fields)
			}
			return s.dec.SkipValue()
		default:
			return s.dec.SkipValue()
		}
	})
}
