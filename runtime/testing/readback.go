package testing

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// readBack performs writes with the methods of ObjectTracker, which return no objects: it returns
// the object that the tracker contains after the write. A write to a subresource is a write to the
// object.
type readBack struct{ ObjectTracker }

func (b readBack) answerCreate(action CreateActionImpl) (runtime.Object, error) {
	object, err := meta.Accessor(action.Object)
	if err != nil {
		return nil, err
	}
	if action.Subresource == "" {
		err = b.Create(action.Resource, action.Object, action.Namespace, action.CreateOptions)
	} else {
		var live runtime.Object
		if live, err = b.Get(action.Resource, action.Namespace, object.GetName(), metav1.GetOptions{}); err != nil {
			return nil, err
		}
		if reflect.TypeOf(live) != reflect.TypeOf(action.Object) {
			return action.Object, nil
		}
		err = b.Update(action.Resource, action.Object, action.Namespace, metav1.UpdateOptions{
			DryRun:          action.CreateOptions.DryRun,
			FieldManager:    action.CreateOptions.FieldManager,
			FieldValidation: action.CreateOptions.FieldValidation,
		})
	}
	if err != nil {
		return nil, err
	}
	return b.Get(action.Resource, action.Namespace, object.GetName(), metav1.GetOptions{})
}

func (b readBack) answerUpdate(action UpdateActionImpl) (runtime.Object, error) {
	object, err := meta.Accessor(action.Object)
	if err != nil {
		return nil, err
	}
	if err := b.Update(action.Resource, action.Object, action.Namespace, action.UpdateOptions); err != nil {
		return nil, err
	}
	return b.Get(action.Resource, action.Namespace, object.GetName(), metav1.GetOptions{})
}

func (b readBack) answerPatch(action PatchActionImpl) (runtime.Object, error) {
	if action.PatchType == types.ApplyPatchType {
		return b.answerApply(action)
	}
	live, err := b.Get(action.Resource, action.Namespace, action.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	after, err := merged(before, action.PatchType, action.Patch, emptyLike(live))
	if err != nil {
		return nil, err
	}
	obj := emptyLike(live)
	if err := json.Unmarshal(after, obj); err != nil {
		return nil, err
	}
	if err := b.Patch(action.Resource, obj, action.Namespace, action.PatchOptions); err != nil {
		return nil, err
	}
	return obj, nil
}

func (b readBack) answerApply(action PatchActionImpl) (runtime.Object, error) {
	configuration := &unstructured.Unstructured{Object: map[string]any{}}
	if err := yaml.Unmarshal(action.Patch, &configuration.Object); err != nil {
		return nil, err
	}
	configuration.SetName(action.Name)
	if err := b.Apply(action.Resource, configuration, action.Namespace, action.PatchOptions); err != nil {
		return nil, err
	}
	return b.Get(action.Resource, action.Namespace, action.Name, metav1.GetOptions{})
}

// answerDeleteCollection leaves the deletion of collections to the next reactor: ObjectTracker has
// no method for it.
func (b readBack) answerDeleteCollection(DeleteCollectionActionImpl) (bool, error) {
	return false, nil
}
