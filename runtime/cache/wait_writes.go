package cache

import (
	"context"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// Writes are a program's writes of objects that an informer has, until its store shows them: so that reads see
// the program's own writes, while writes do not wait.
//
//	writes := cache.NewWrites(informer)
//	book, err := client.LibraryV1().Books("default").Update(ctx, book, metav1.UpdateOptions{})
//	writes.Written(book)
//	...
//	if err := writes.Wait(ctx, "default", "emma"); err != nil {
//		return err // with the reason: "*v1.Book in namespace default is at resource version ..."
//	}
//	book, err = lister.Books("default").Get("emma") // this state or a later one
//
// Writes in namespaces that the informer does not have are ignored, and those whose resource version cannot be
// compared with others. Writes of objects that the informer's sources do not select, or that are another replica's
// (see [Shards]), are waited for only while an earlier state of them is stored.
//
// Its methods may be called concurrently. It uses memory for each object that was written, until its source has
// received the write or something later.
type Writes struct {
	informer SharedInformer

	mu      sync.Mutex // guards the fields below
	pending map[ObjectName]*pendingWrite
	sweep   int // the number of pending writes at which those are removed that the store shows
}

// pendingWrite is what was written to one object. It is not modified.
type pendingWrite struct {
	written  string      // the last resource version
	selected string      // the last one in which the object was selected
	uid      types.UID   // of that
	deleted  []types.UID // of deleted objects of this name
	gone     types.UID   // of the last one that was deleted by the removal of its last finalizer
}

const firstSweep = 64

// NewWrites returns no writes yet, of an informer's objects.
func NewWrites(informer SharedInformer) *Writes {
	return &Writes{informer: informer, pending: map[ObjectName]*pendingWrite{}, sweep: firstSweep}
}

// Written adds a write that succeeded; obj is its result. It retains nothing of obj. The removal of the last finalizer
// of an object with a deletion timestamp, after its grace period, is a deletion: a read that waits returns no object
// with its UID.
func (w *Writes) Written(obj metav1.Object) {
	rv := obj.GetResourceVersion()
	if !delta.IsVersion(rv) || !w.has(obj.GetNamespace()) {
		return
	}
	if uid := obj.GetUID(); uid != "" && isGone(obj) {
		w.update(MetaObjectToName(obj), func(p *pendingWrite) { p.gone = uid })
	}
	selected := w.selects(obj)
	w.update(MetaObjectToName(obj), func(p *pendingWrite) {
		if later(rv, p.written) {
			p.written = rv
			if selected && !slices.Contains(p.deleted, obj.GetUID()) {
				p.deleted = nil // this one was created after that
			}
		}
		if selected && later(rv, p.selected) {
			p.selected, p.uid = rv, obj.GetUID()
		}
	})
}

// Deleted adds a deletion that succeeded. obj is the object's last known state, with its UID: a deletion
// without a UID is ignored. A read that waits returns no object with it, or one with a deletion timestamp.
// Without a resource version in obj, a store that has not received the object counts as up to date.
func (w *Writes) Deleted(obj metav1.Object) {
	uid, rv := obj.GetUID(), obj.GetResourceVersion()
	if uid == "" || !w.has(obj.GetNamespace()) {
		return
	}
	selected := delta.IsVersion(rv) && w.selects(obj)
	w.update(MetaObjectToName(obj), func(p *pendingWrite) {
		if !slices.Contains(p.deleted, uid) {
			p.deleted = append(slices.Clone(p.deleted), uid)
		}
		if selected && later(rv, p.selected) {
			p.selected, p.uid = rv, uid
		}
	})
}

// Wait waits until the store shows the writes that were added before: all to the object of this name or, if the
// name is empty, to objects of the namespace or, if that is empty too, to all objects. It fails as
// [WaitForObject] does.
func (w *Writes) Wait(ctx context.Context, namespace, name string) error {
	for object, p := range w.of(namespace, name) {
		for _, a := range p.awaited(object) {
			if err := a.wait(ctx, w.informer); err != nil {
				return err
			}
		}
		if _, own := ownInformer(w.informer); !own || w.shows(object, p) {
			w.forget(object, p)
		}
	}
	return nil
}

// of returns the pending writes to some objects.
func (w *Writes) of(namespace, name string) map[ObjectName]*pendingWrite {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pending) == 0 {
		return nil
	}
	out := map[ObjectName]*pendingWrite{}
	if name != "" {
		object := ObjectName{Namespace: namespace, Name: name}
		if p := w.pending[object]; p != nil {
			out[object] = p
		}
		return out
	}
	for object, p := range w.pending {
		if namespace == "" || object.Namespace == namespace {
			out[object] = p
		}
	}
	return out
}

// forget removes a write that the store shows, unless there is a later one.
func (w *Writes) forget(object ObjectName, p *pendingWrite) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending[object] == p {
		delete(w.pending, object)
	}
}

// update changes what is pending of an object.
func (w *Writes) update(object ObjectName, change func(*pendingWrite)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var p pendingWrite
	if before := w.pending[object]; before != nil {
		p = *before
	}
	change(&p)
	w.pending[object] = &p
	if len(w.pending) < w.sweep {
		return
	}
	for object, p := range w.pending {
		if w.shows(object, p) {
			delete(w.pending, object)
		}
	}
	w.sweep = max(firstSweep, 2*len(w.pending))
}

// shows reports whether the store shows a write, and will not show an earlier state. It returns false if that is not known.
func (w *Writes) shows(object ObjectName, p *pendingWrite) bool {
	s, own := ownInformer(w.informer)
	if !own {
		return false
	}
	applied := s.applier.progress.versions()
	return !slices.ContainsFunc(p.awaited(object), func(a awaited) bool {
		a.absent = false // the store may receive it yet
		return !a.arrived(a.sources(s), applied, s.store)
	})
}

// awaited returns what to wait for, in this order.
func (p *pendingWrite) awaited(object ObjectName) (out []awaited) {
	state := func(rv string, uid types.UID) awaited {
		a := awaitedObject(&metav1.ObjectMeta{Namespace: object.Namespace, Name: object.Name, ResourceVersion: rv, UID: uid})
		a.anyVersion = rv == ""
		return a
	}
	if p.selected != "" {
		out = append(out, state(p.selected, p.uid))
	}
	for _, uid := range p.deleted {
		a := state("", uid)
		a.deleted = true
		out = append(out, a)
	}
	if p.gone != "" {
		a := state("", p.gone)
		a.deleted, a.gone = true, true
		out = append(out, a)
	}
	if p.written != p.selected && p.written != "" {
		// The sources need not receive a state that they do not select, unless they have an earlier one.
		a := state(p.written, "")
		a.absent = true
		out = append(out, a)
	}
	return out
}

// has reports whether the informer has objects in a namespace.
func (w *Writes) has(namespace string) bool {
	s, own := ownInformer(w.informer)
	return !own || s.sourceOf(namespace) != nil
}

// selectors returns the selectors of a source.
func (s *sharedInformer) selectors(source *Source) (labels, fields string) {
	switch {
	case source.Selectors != nil:
		return source.Selectors()
	case s.options.Selectors != nil:
		return s.options.Selectors()
	}
	return "", ""
}

// sourceOf returns the source of the objects of a namespace, or nil.
func (s *sharedInformer) sourceOf(namespace string) *Source {
	if i := s.indexOf(namespace); i >= 0 {
		return &s.sources[i]
	}
	return nil
}

// indexOf returns the index of the source of the objects of a namespace, or -1.
func (s *sharedInformer) indexOf(namespace string) int {
	return slices.IndexFunc(s.sources, func(source Source) bool { return source.has(namespace) })
}

// later reports whether a resource version is later than another one, which may be empty.
func later(rv, than string) bool { return than == "" || order(rv, than) > 0 }
