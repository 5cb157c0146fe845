package cache

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"
)

// informers are the informers of the process in order of creation. It does not keep them alive.
var informers = informerRegistry{known: map[uint64]weak.Pointer[sharedInformer]{}}

type informerRegistry struct {
	mu    sync.Mutex // guards the fields below
	last  uint64
	known map[uint64]weak.Pointer[sharedInformer]
}

// add makes s known until the result is called or s is collected.
func (r *informerRegistry) add(s *sharedInformer) (remove func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	number := r.last
	r.known[number] = weak.Make(s)
	runtime.AddCleanup(s, r.remove, number)
	return func() { r.remove(number) }
}

func (r *informerRegistry) remove(number uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, number)
}

func (r *informerRegistry) all() []SharedIndexInformer {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []SharedIndexInformer
	for _, number := range slices.Sorted(maps.Keys(r.known)) {
		if s := r.known[number].Value(); s != nil {
			all = append(all, s)
		}
	}
	return all
}

// All returns the informers of this process, started or not, in order of creation: those of this
// package that have not stopped and are still referenced. The caller owns the slice.
func All() []SharedIndexInformer { return informers.all() }
