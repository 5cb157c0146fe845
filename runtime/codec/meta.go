package codec

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// metaIsKnown says that ObjectMeta has the fields that are decoded by name
// below. One of another version is decoded by reflection.
var metaIsKnown = hasFields(reflect.TypeFor[metav1.ObjectMeta](),
	"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
	"generateName", "generation", "labels", "managedFields", "name", "namespace", "ownerReferences",
	"resourceVersion", "selfLink", "uid",
) && hasFields(reflect.TypeFor[metav1.ManagedFieldsEntry](),
	"apiVersion", "fieldsType", "fieldsV1", "manager", "operation", "subresource", "time",
) && hasFields(reflect.TypeFor[metav1.OwnerReference](),
	"apiVersion", "blockOwnerDeletion", "controller", "kind", "name", "uid",
)

// conditionIsKnown says the same of conditions.
var conditionIsKnown = hasFields(reflect.TypeFor[metav1.Condition](),
	"lastTransitionTime", "message", "observedGeneration", "reason", "status", "type",
)

// hasFields says whether the struct has the fields of these names (which are
// sorted), and no others.
func hasFields(t reflect.Type, names ...string) bool {
	fields, ok := fieldsOf(t)
	var have []string
	for _, f := range fields {
		have = append(have, f.name)
	}
	slices.Sort(have)
	return ok && slices.Equal(have, names)
}

// managed is an entry of managedFields with what it points to.
type managed struct {
	metav1.ManagedFieldsEntry
	time      metav1.Time
	fields    metav1.FieldsV1
	hasTime   bool
	hasFields bool
}

// objectMeta decodes metadata. Fields that are set already, because they come
// twice, are merged by the general decoder.
func (s *scratch) objectMeta(m *metav1.ObjectMeta) error {
	if s.dec.PeekKind() != '{' {
		return s.general(m)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != '}' {
		name, err := s.unquoted()
		if err != nil {
			return err
		}
		switch string(name) {
		case "name":
			err = unique(s, &m.Name)
		case "namespace":
			err = likely(s, &m.Namespace)
		case "uid":
			err = unique(s, &m.UID)
		case "resourceVersion":
			err = unique(s, &m.ResourceVersion)
		case "generateName":
			err = likely(s, &m.GenerateName)
		case "selfLink":
			link := m.GetSelfLink()
			err = unique(s, &link)
			m.SetSelfLink(link)
		case "creationTimestamp":
			err = decodeTime(s.dec, &m.CreationTimestamp)
		case "labels":
			err = s.stringMap(&m.Labels)
		case "annotations":
			err = s.stringMap(&m.Annotations)
		case "managedFields":
			err = s.managedFields(&m.ManagedFields)
		case "generation":
			err = s.int64(&m.Generation)
		case "deletionTimestamp":
			err = s.general(&m.DeletionTimestamp)
		case "deletionGracePeriodSeconds":
			err = s.general(&m.DeletionGracePeriodSeconds)
		case "ownerReferences":
			err = slice(s, &s.owners, &m.OwnerReferences, s.ownerReference)
		case "finalizers":
			err = slice(s, &s.finalizers, &m.Finalizers, func(f *string) error { return likely(s, f) })
		default:
			err = s.dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// general decodes what out points to by reflection.
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
	// What the entries point to lives as long as they do: two allocations for
	// all of them.
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
	if s.dec.PeekKind() != '{' {
		return s.general(&e.ManagedFieldsEntry)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != '}' {
		name, err := s.unquoted()
		if err != nil {
			return err
		}
		switch string(name) {
		case "manager":
			err = likely(s, &e.Manager)
		case "operation":
			err = likely(s, &e.Operation)
		case "apiVersion":
			err = likely(s, &e.APIVersion)
		case "fieldsType":
			err = likely(s, &e.FieldsType)
		case "subresource":
			err = likely(s, &e.Subresource)
		case "time":
			if e.hasTime = s.dec.PeekKind() != 'n'; e.hasTime {
				err = decodeTime(s.dec, &e.time)
			} else {
				err = s.dec.SkipValue()
			}
		case "fieldsV1":
			if e.hasFields = s.dec.PeekKind() != 'n'; e.hasFields {
				err = s.general(&e.fields)
			} else {
				err = s.dec.SkipValue()
			}
		default:
			err = s.dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}
