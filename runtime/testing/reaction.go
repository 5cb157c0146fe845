package testing

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ObjectReaction returns a reaction that uses the tracker. Watches have their own chain;
// TrackObjects sets both.
//
// With a tracker of NewServerObjectTracker, results equal a server's. Any other tracker, even one
// that wraps it, is only used through the methods of ObjectTracker, as by client-go: a write to a
// subresource is a write to the object, and deletions of collections are left to the next reactor.
func ObjectReaction(tracker ObjectTracker) ReactionFunc {
	writer := writerTo(tracker)
	return func(action Action) (handled bool, obj runtime.Object, err error) {
		switch action := action.(type) {
		case GetActionImpl:
			obj, err = tracker.Get(action.Resource, action.Namespace, action.Name, action.GetOptions)
		case ListActionImpl:
			obj, err = tracker.List(action.Resource, action.Kind, action.Namespace, action.ListOptions)
		case CreateActionImpl:
			obj, err = writer.answerCreate(action)
		case UpdateActionImpl:
			obj, err = writer.answerUpdate(action)
		case PatchActionImpl:
			obj, err = writer.answerPatch(action)
		case DeleteActionImpl:
			err = tracker.Delete(action.Resource, action.Namespace, action.Name, action.DeleteOptions)
		case DeleteCollectionActionImpl:
			handled, err = writer.answerDeleteCollection(action)
			return handled, nil, err
		default:
			return false, nil, fmt.Errorf("no reaction implemented for %s", action)
		}
		return true, obj, err
	}
}

// writer handles the actions that change objects.
type writer interface {
	answerCreate(CreateActionImpl) (runtime.Object, error)
	answerUpdate(UpdateActionImpl) (runtime.Object, error)
	answerPatch(PatchActionImpl) (runtime.Object, error)
	answerDeleteCollection(DeleteCollectionActionImpl) (handled bool, err error)
}

func writerTo(tracker ObjectTracker) writer {
	if own, ok := tracker.(writer); ok {
		return own
	}
	return readBack{tracker}
}

func (t *serverTracker) answerCreate(action CreateActionImpl) (runtime.Object, error) {
	if action.Subresource == "" {
		return t.create(action.Resource, action.Namespace, action.Object, action.CreateOptions)
	}
	name, err := nameOf(action)
	if err != nil {
		return nil, err
	}
	w := write{
		gvr: action.Resource, namespace: action.Namespace, name: name, subresource: action.Subresource,
		dryRun: action.CreateOptions.DryRun, manager: action.CreateOptions.FieldManager,
	}
	return t.replace(w, func(runtime.Object) (runtime.Object, error) { return action.Object.DeepCopyObject(), nil })
}

// nameOf returns the name of the object of which a subresource is created.
func nameOf(action CreateActionImpl) (string, error) {
	object, err := meta.Accessor(action.Object)
	if err != nil {
		return "", err
	}
	return cmp.Or(action.Name, object.GetName()), nil
}

func (t *serverTracker) answerUpdate(action UpdateActionImpl) (runtime.Object, error) {
	return t.update(action.Resource, action.Namespace, action.Subresource, action.Object, action.UpdateOptions)
}

func (t *serverTracker) answerPatch(action PatchActionImpl) (runtime.Object, error) {
	if action.PatchType == types.ApplyPatchType {
		configuration, err := applyConfiguration(action.Name, action.Patch)
		if err != nil {
			return nil, err
		}
		return t.apply(action.Resource, action.Namespace, action.Subresource, configuration, action.PatchOptions)
	}
	w := write{
		gvr: action.Resource, namespace: action.Namespace, name: action.Name, subresource: action.Subresource,
		dryRun: action.PatchOptions.DryRun, manager: action.PatchOptions.FieldManager,
	}
	return t.replace(w, func(live runtime.Object) (runtime.Object, error) {
		return patched(live, action.PatchType, action.Patch)
	})
}

func (t *serverTracker) answerDeleteCollection(action DeleteCollectionActionImpl) (bool, error) {
	return true, t.deleteCollection(action.Resource, action.Namespace, action.DeleteOptions, action.ListOptions)
}
