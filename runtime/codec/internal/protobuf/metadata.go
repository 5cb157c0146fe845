package protobuf

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// longText is the length from which the strings of an ObjectMeta are separate. Shorter ones are parts of one string, so
// retaining one of them retains all.
const longText = 1024

// The two bytes of the tag of managedFields, whose number is 17.
const managedTag0, managedTag1 = 17<<3&0x7F | asBytes | 0x80, 17 >> 4

// metaReader reads an ObjectMeta.
type metaReader struct {
	reader
	block string // the text before the managedFields, unless it is long
}

// string returns the next bytes as a string.
func (r *metaReader) string() string {
	from, to := r.span()
	if to <= len(r.block) {
		return r.block[from:to]
	}
	return string(r.text[from:to])
}

// counts are how often repeated fields occur.
type counts struct{ labels, annotations, owners, finalizers, managed int }

// decodeMeta decodes into an empty ObjectMeta. It returns false if there is a doubt.
func decodeMeta(m *metav1.ObjectMeta, text []byte) bool {
	n, before, ok := count(text)
	if !ok {
		return false
	}
	r := metaReader{reader: reader{text: text}}
	if before <= longText {
		r.block = string(text[:before])
	}
	if n.owners > 0 {
		m.OwnerReferences = make([]metav1.OwnerReference, 0, n.owners)
	}
	if n.finalizers > 0 {
		m.Finalizers = make([]string, 0, n.finalizers)
	}
	managed := newManaged(m, n.managed)
	for r.more() {
		switch r.tag() {
		case tag(1, asBytes):
			m.Name = r.string()
		case tag(2, asBytes):
			m.GenerateName = r.string()
		case tag(3, asBytes):
			m.Namespace = r.string()
		case tag(4, asBytes):
			m.SetSelfLink(r.string())
		case tag(5, asBytes):
			m.UID = types.UID(r.string())
		case tag(6, asBytes):
			m.ResourceVersion = r.string()
		case tag(7, asVarint):
			m.Generation = int64(r.varint())
		case tag(8, asBytes):
			r.doubt = m.CreationTimestamp.Unmarshal(r.bytes()) != nil || r.doubt
		case tag(9, asBytes):
			if m.DeletionTimestamp == nil {
				m.DeletionTimestamp = &metav1.Time{}
			}
			r.doubt = m.DeletionTimestamp.Unmarshal(r.bytes()) != nil || r.doubt
		case tag(10, asVarint):
			seconds := int64(r.varint())
			m.DeletionGracePeriodSeconds = &seconds
		case tag(11, asBytes):
			r.entry(&m.Labels, n.labels)
		case tag(12, asBytes):
			r.entry(&m.Annotations, n.annotations)
		case tag(13, asBytes):
			m.OwnerReferences = append(m.OwnerReferences, metav1.OwnerReference{})
			r.owner(&m.OwnerReferences[len(m.OwnerReferences)-1])
		case tag(14, asBytes):
			m.Finalizers = append(m.Finalizers, r.string())
		default: // count has seen the tag
			r.at++
			managed.read(r.bytes(), &r.reader)
		}
	}
	return !r.doubt
}

// count counts the repeated fields of an ObjectMeta, and returns the length of the fields before managedFields. It
// fails at unknown fields.
func count(text []byte) (n counts, before int, ok bool) {
	r := reader{text: text}
	before = len(text)
	for r.more() {
		start := r.at
		switch r.tag() {
		case tag(1, asBytes), tag(2, asBytes), tag(3, asBytes), tag(4, asBytes), tag(5, asBytes), tag(6, asBytes), tag(8, asBytes), tag(9, asBytes):
			r.span()
		case tag(7, asVarint), tag(10, asVarint):
			r.varint()
		case tag(11, asBytes):
			n.labels++
			r.span()
		case tag(12, asBytes):
			n.annotations++
			r.span()
		case tag(13, asBytes):
			n.owners++
			r.span()
		case tag(14, asBytes):
			n.finalizers++
			r.span()
		case managedTag0:
			if !r.more() || r.tag() != managedTag1 {
				return n, 0, false
			}
			if n.managed == 0 {
				before = start
			}
			n.managed++
			r.span()
		default:
			return n, 0, false
		}
	}
	return n, before, !r.doubt
}

// entry reads an entry of a map with room for n. It must be a key and a value.
func (r *metaReader) entry(m *map[string]string, n int) {
	from, to := r.span()
	if r.doubt {
		return
	}
	inner := metaReader{reader{text: r.text[:to], at: from}, r.block}
	if !inner.more() || inner.tag() != tag(1, asBytes) {
		r.doubt = true
		return
	}
	key := inner.string()
	if !inner.more() || inner.tag() != tag(2, asBytes) {
		r.doubt = true
		return
	}
	value := inner.string()
	if inner.doubt || inner.more() {
		r.doubt = true
		return
	}
	if *m == nil {
		*m = make(map[string]string, n)
	}
	(*m)[key] = value
}

func (r *metaReader) owner(o *metav1.OwnerReference) {
	from, to := r.span()
	inner := metaReader{reader{text: r.text[:to], at: from, doubt: r.doubt}, r.block}
	for inner.more() {
		switch inner.tag() {
		case tag(1, asBytes):
			o.Kind = inner.string()
		case tag(3, asBytes):
			o.Name = inner.string()
		case tag(4, asBytes):
			o.UID = types.UID(inner.string())
		case tag(5, asBytes):
			o.APIVersion = inner.string()
		case tag(6, asVarint):
			controller := inner.varint() != 0
			o.Controller = &controller
		case tag(7, asVarint):
			block := inner.varint() != 0
			o.BlockOwnerDeletion = &block
		default:
			inner.doubt = true
		}
	}
	r.doubt = r.doubt || inner.doubt
}

// managed reads managedFields. What their entries refer to is allocated for all of them.
type managed struct {
	entries []metav1.ManagedFieldsEntry
	times   []metav1.Time
	fields  []metav1.FieldsV1
	next    int
}

func newManaged(m *metav1.ObjectMeta, n int) (f managed) {
	if n > 0 {
		m.ManagedFields = make([]metav1.ManagedFieldsEntry, n)
		f = managed{entries: m.ManagedFields, times: make([]metav1.Time, n), fields: make([]metav1.FieldsV1, n)}
	}
	return f
}

// read reads the next entry. It reports a doubt to outer.
func (f *managed) read(text []byte, outer *reader) {
	i := f.next
	f.next++
	e, previous := &f.entries[i], &f.entries[max(i-1, 0)]
	r := reader{text: text, doubt: outer.doubt}
	for r.more() {
		switch r.tag() {
		case tag(1, asBytes):
			e.Manager = known(r.bytes(), previous.Manager)
		case tag(2, asBytes):
			e.Operation = metav1.ManagedFieldsOperationType(known(r.bytes(), string(previous.Operation)))
		case tag(3, asBytes):
			e.APIVersion = known(r.bytes(), previous.APIVersion)
		case tag(4, asBytes):
			e.Time = &f.times[i]
			r.doubt = e.Time.Unmarshal(r.bytes()) != nil || r.doubt
		case tag(6, asBytes):
			e.FieldsType = known(r.bytes(), previous.FieldsType)
		case tag(7, asBytes):
			e.FieldsV1 = &f.fields[i]
			r.doubt = e.FieldsV1.Unmarshal(r.bytes()) != nil || r.doubt
		case tag(8, asBytes):
			e.Subresource = known(r.bytes(), previous.Subresource)
		default:
			r.doubt = true
		}
	}
	outer.doubt = outer.doubt || r.doubt
}

// known returns bytes as a string, which need not be allocated if it is one of the usual ones, or the previous one.
func known(b []byte, previous string) string {
	if string(b) == previous {
		return previous
	}
	switch string(b) {
	case "Update":
		return "Update"
	case "Apply":
		return "Apply"
	case "FieldsV1":
		return "FieldsV1"
	case "v1":
		return "v1"
	case "apps/v1":
		return "apps/v1"
	case "status":
		return "status"
	case "kubelet":
		return "kubelet"
	case "kube-controller-manager":
		return "kube-controller-manager"
	case "kube-scheduler":
		return "kube-scheduler"
	}
	return string(b)
}
