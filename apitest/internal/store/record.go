package store

import (
	"sync/atomic"
	"time"
	"weak"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// record is the state of a key that a write has left. Its fields never change, but for the
// atomic ones.
type record struct {
	key     string
	version uint64
	// value is the encoded object. That of a deletion is the last state.
	value   []byte
	deleted bool
	// created tells that there was no object before. If there was one, it is in prev,
	// until the history forgets it.
	created bool
	expires time.Time // zero means never
	prev    atomic.Pointer[record]
	// decoded is what resources have made of value; it is nil or forgotten where they have
	// to decode it themselves.
	decoded atomic.Pointer[decoded]
}

// decoded is a record's object as one resource sees it, and, in next, as others do. It is
// shared and never changed, once a record remembers it.
type decoded struct {
	resource *Resource
	object   runtime.Object
	labels   labels.Set
	fields   fields.Set
	event    atomic.Pointer[weak.Pointer[shared]]
	next     *decoded
}

// forgotten stands for the decoded objects of a record that is too old to keep them.
var forgotten = &decoded{}

func lessKey(a, b *record) bool { return a.key < b.key }

// at returns the record that was the key's last one at a version, or nil. If the history is
// forgotten up to that version meanwhile, the answer is wrong.
func (r *record) at(version uint64) *record {
	for r != nil && r.version > version {
		r = r.prev.Load()
	}
	return r
}

// alive returns the record if there is an object.
func (r *record) alive() *record {
	if r == nil || r.deleted {
		return nil
	}
	return r
}

// seenBy returns the record's object as a resource has decoded it, or nil.
func (r *record) seenBy(resource *Resource) *decoded { return r.decoded.Load().of(resource) }

// of returns the part of the list that a resource has decoded, or nil.
func (d *decoded) of(resource *Resource) *decoded {
	for ; d != nil; d = d.next {
		if d.resource == resource {
			return d
		}
	}
	return nil
}

// remember keeps what a resource has decoded, unless the record is too old for that. It
// returns what is kept, which may be what another goroutine of the resource was faster with.
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

// open returns the part of the list that belongs to resources that are open.
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
