package testing

import (
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// historyLimit is the number of changes of a resource after which the oldest is
// forgotten.
const historyLimit = 10_000

// change is a change of an object at a version. The objects are never modified.
type change struct {
	version int64
	// before is nil if the object was created, after if it was deleted.
	before, after runtime.Object
	// object is the last state of the object, with the version of the change.
	object runtime.Object
}

// record appends a change to the history and notifies the watchers. The caller holds mu.
func (r *resource) record(c change) {
	r.history = append(r.history, c)
	if len(r.history) > historyLimit {
		r.forgotten = r.history[0].version
		r.history = r.history[1:]
	}
	for w := range r.watchers {
		w.tell(r, c)
	}
}

// Watch implements ObjectTracker.
func (t *serverTracker) Watch(gvr schema.GroupVersionResource, ns string, opts ...metav1.ListOptions) (watch.Interface, error) {
	listOpts, err := option(opts)
	if err != nil {
		return nil, err
	}
	from, err := parseVersion(listOpts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.of(gvr)
	selected, err := t.selection(r, ns, listOpts)
	if err != nil {
		return nil, err
	}
	w := newWatcher(selected, listOpts.AllowWatchBookmarks)
	initial := listOpts.SendInitialEvents
	switch {
	case len(opts) == 0:
	case initial != nil && *initial, initial == nil && from == 0:
		for _, live := range r.selected(selected) {
			w.send(watch.Added, live.object)
		}
		if initial != nil {
			t.learn(r)
			w.bookmark(r, t.version, map[string]string{metav1.InitialEventsAnnotationKey: "true"})
		}
	case from == 0:
	case from < r.forgotten:
		expired := apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", from, r.forgotten))
		w.send(watch.Error, &expired.ErrStatus)
		w.Stop()
		return w, nil
	default:
		t.learn(r)
		for _, c := range r.history {
			if c.version > from {
				w.tell(r, c)
			}
		}
	}
	return t.watch(r, w), nil
}

// parseVersion returns a resourceVersion as a number: 0 if it is empty.
func parseVersion(resourceVersion string) (int64, error) {
	if resourceVersion == "" {
		return 0, nil
	}
	version, err := strconv.ParseInt(resourceVersion, 10, 64)
	if err != nil || version < 0 {
		return 0, apierrors.NewBadRequest(fmt.Sprintf("invalid resourceVersion %q: it must be a whole number", resourceVersion))
	}
	return version, nil
}

// learn determines the kind of the resource's objects if the scheme contains it. The caller holds
// mu for writing.
func (t *serverTracker) learn(r *resource) {
	if !r.kind.known() {
		r.kind = t.kindFor(r.gvr)
	}
}

// tell sends the watcher the effect of the change on its selection. A change outside of the
// selection is a bookmark, so that the watcher knows that it has missed nothing. The caller holds
// mu.
func (w *watcher) tell(r *resource, c change) {
	before := c.before != nil && w.selection.matches(c.before)
	after := c.after != nil && w.selection.matches(c.after)
	switch {
	case before && after:
		w.send(watch.Modified, c.after)
	case after:
		w.send(watch.Added, c.after)
	case before && c.after == nil:
		w.send(watch.Deleted, c.object)
	case before:
		left := c.before.DeepCopyObject()
		stamp(left, c.version)
		w.send(watch.Deleted, left)
	default:
		w.bookmark(r, c.version, nil)
	}
}

// bookmark sends a bookmark if the watcher accepts bookmarks.
func (w *watcher) bookmark(r *resource, version int64, annotations map[string]string) {
	if !w.bookmarks {
		return
	}
	var obj runtime.Object = &metav1.PartialObjectMetadata{}
	if r.kind.known() {
		obj = r.kind.empty()
	}
	stamp(obj, version)
	if object, err := meta.Accessor(obj); err == nil && annotations != nil {
		object.SetAnnotations(annotations)
	}
	w.send(watch.Bookmark, obj)
}

func stamp(obj runtime.Object, version int64) {
	setVersion(obj, strconv.FormatInt(version, 10))
}

func setVersion(obj runtime.Object, version string) {
	if object, err := meta.Accessor(obj); err == nil {
		object.SetResourceVersion(version)
	}
}
