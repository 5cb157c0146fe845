package packing

import (
	"sync"

	"github.com/listwatch/listwatch/runtime/cache/internal/footprint"
)

// recent are the objects that stay decoded: those that were used last, about. An object that was used since its place was
// looked at last keeps it.
type recent struct {
	mu      sync.Mutex // guards the fields below
	objects []*Object
	next    int
	most    int // 0 means that all stay decoded
}

// add adds an object that was decoded just now, in place of another.
func (r *recent) add(o *Object) {
	if r.most == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.objects) < r.most {
		r.objects = append(r.objects, o)
		return
	}
	for r.objects[r.next].used.Swap(false) {
		r.next = (r.next + 1) % r.most
	}
	r.objects[r.next].decoded.Store(nil)
	r.objects[r.next] = o
	r.next = (r.next + 1) % r.most
}

// size returns how many objects are decoded, and about how many bytes they take.
func (r *recent) size() (objects, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.objects {
		if d := o.decoded.Load(); d != nil {
			objects++
			bytes += footprint.Size(d.object)
		}
	}
	return objects, bytes
}
