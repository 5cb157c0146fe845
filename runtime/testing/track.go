package testing

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// TrackObjects adds the objects to the tracker and makes the fake answer all
// actions and all watches from it, behind the reactors that the fake has. It is what
// a fake clientset is made of. The error names the object that cannot be added.
func TrackObjects(fake *Fake, tracker ObjectTracker, objects ...runtime.Object) error {
	for i, obj := range objects {
		if err := tracker.Add(obj); err != nil {
			return fmt.Errorf("object %d (%T): %w", i, obj, err)
		}
	}
	fake.AddReactor("*", "*", ObjectReaction(tracker))
	fake.AddWatchReactor("*", watchReaction(tracker))
	return nil
}

// NameResource tells a tracker of NewServerObjectTracker the resource of a kind whose
// name does not suggest it, like geese of Goose, before objects of the kind are added.
// Other trackers are left as they are.
func NameResource(t ObjectTracker, kind schema.GroupVersionKind, resource string) {
	if t, ok := t.(*serverTracker); ok {
		t.named.Store(kind, resource)
	}
}

// watchReaction leaves watches that fail to the next reactor, and so to none, as
// client-go's fake clientsets do; a server answers them.
func watchReaction(tracker ObjectTracker) WatchReactionFunc {
	return func(action Action) (bool, watch.Interface, error) {
		var opts metav1.ListOptions
		if action, ok := action.(WatchActionImpl); ok {
			opts = action.ListOptions
		}
		watcher, err := tracker.Watch(action.GetResource(), action.GetNamespace(), opts)
		_, server := tracker.(*serverTracker)
		return err == nil || server, watcher, err
	}
}
