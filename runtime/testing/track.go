package testing

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// TrackObjects adds the objects to the tracker and makes the fake handle all actions and all
// watches with it, after the fake's existing reactors. The error names
// the object that cannot be added.
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

// MustTrackObjects is [TrackObjects], but panics on errors. Generated fake clientsets are created
// with it.
func MustTrackObjects(fake *Fake, tracker ObjectTracker, objects ...runtime.Object) {
	if err := TrackObjects(fake, tracker, objects...); err != nil {
		panic(err)
	}
}

// NameResource sets the resource of a kind whose name does not suggest it, such as geese for Goose,
// in a tracker of NewServerObjectTracker. It must be called before objects of the kind are added.
// It has no effect on other trackers.
func NameResource(t ObjectTracker, kind schema.GroupVersionKind, resource string) {
	if t, ok := t.(*serverTracker); ok {
		t.named.Store(kind, resource)
	}
}

// watchReaction leaves watches that fail to the next reactor, and therefore to none, like
// client-go's fake clientsets; with a server's tracker it returns their error.
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
