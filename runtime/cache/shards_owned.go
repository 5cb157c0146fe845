package cache

import (
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
)

// ownedSlots are the slots of an informer that follows [Shards], from when they are gained or lost: the store follows.
type ownedSlots struct {
	of Shards

	mu       sync.Mutex // guards the fields below
	begun    bool       // the first change has come
	slots    []int
	selector *shards.Selector // of slots; nil if there are none, if these are all, or if it is invalid
}

func (o *ownedSlots) change(c ShardChange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = true
	o.slots = union(without(o.slots, c.Lost), c.Gained)
	if o.selector = nil; len(o.slots) > 0 {
		o.selector, _ = shards.Parse(o.of.Selector(o.slots)) // reflectors report the error
	}
}

// excludes reports whether an object is another replica's, so that the store will not have it. If that is not known, it
// returns false.
func (o *ownedSlots) excludes(m metav1.Object) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !o.begun:
		return false
	case len(o.slots) == 0:
		return true
	case o.selector == nil, m.GetUID() == "" && !o.selector.ByNamespace():
		return false
	}
	return !o.selector.Matches(m)
}

// excludes reports whether the store has no object of a name and will not have obj, which is another replica's.
func (s *sharedInformer) excludes(obj metav1.Object) bool {
	if s.owned == nil || !s.owned.excludes(obj) {
		return false
	}
	held, _, _ := s.store.GetByKey(MetaObjectToName(obj).String())
	return held == nil
}
