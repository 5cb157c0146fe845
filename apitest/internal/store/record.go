package store

import (
	"sync/atomic"
	"time"
	"weak"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// record is the state of a key after a write. Its fields never change, except the atomic ones.
type record struct {
	key     string
	version uint64
	// value is the encoded object. For a deletion, it is the last state.
	value   []byte
	deleted bool
	// created reports that there was no object before. If there was one, it is in prev, until the
	// history discards it.
	created bool
	// born is the version at which the object was created: the same for all records of one object,
	// also for those that a snapshot has restored.
	born    uint64
	written time.Time
	expires time.Time // zero means never
	size    int       // what the history retains because of the record, in bytes
	prev    atomic.Pointer[record]
	// decoded is what resources have decoded from value; it is nil or forgotten if they have to
	// decode it themselves.
	decoded atomic.Pointer[decoded]
}

// decoded is a record's object as decoded by one resource, and, in next, by others. It is shared
// and never modified once a record has cached it.
type decoded struct {
	resource *Resource
	object   runtime.Object
	labels   labels.Set
	fields   fields.Set
	event    atomic.Pointer[weak.Pointer[shared]]
	next     *decoded
}

// forgotten marks the decoded objects of a record that is too old to cache them.
var forgotten = &decoded{}

func lessKey(a, b *record) bool { return a.key < b.key }

// at returns the record that was the key's last one at a version, or nil. If the history is
// discarded up to that version meanwhile, the result is wrong.
func (r *record) at(version uint64) *record {
	for r != nil && r.version > version {
		r = r.prev.Load()
	}
	return r
}

// alive returns the record if it is not a deletion, otherwise nil.
func (r *record) alive() *record {
	if r == nil || r.deleted {
		return nil
	}
	return r
}

// seenBy returns the record's object as a resource has decoded it, or nil.
func (r *record) seenBy(resource *Resource) *decoded { return r.decoded.Load().of(resource) }

// of returns the element of the list that a resource has decoded, or nil.
func (d *decoded) of(resource *Resource) *decoded {
	for ; d != nil; d = d.next {
		if d.resource == resource {
			return d
		}
	}
	return nil
}

// remember caches what a resource has decoded, unless the record is too old. It returns what is
// cached, which another goroutine may have decoded first.
func (r *record) remember(d *decoded) *decoded {
	for {
		others := r.decoded.Load()
		if others == forgotten {
			return d
		}
		if faster := others.of(d.resource); faster != nil {
			return faster
		}
		d.next = others.open()
		if r.decoded.CompareAndSwap(others, d) {
			return d
		}
	}
}

// open returns the elements of the list whose resources are open.
func (d *decoded) open() *decoded {
	if d == nil {
		return nil
	}
	rest := d.next.open()
	if d.resource.closed.Load() {
		return rest
	}
	if rest == d.next {
		return d
	}
	return &decoded{resource: d.resource, object: d.object, labels: d.labels, fields: d.fields, next: rest}
}
