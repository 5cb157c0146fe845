package testing

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
)

// foreign answers from a tracker of another package.
type foreign struct{ ObjectTracker }

func (f foreign) answerCreate(action CreateActionImpl) (runtime.Object, error) {
	if action.Subresource != "" {
		name, err := nameOf(action)
		if err != nil {
			return nil, err
		}
		return f.replace(action.ActionImpl, name, action.Object, metav1.UpdateOptions{
			DryRun:          action.CreateOptions.DryRun,
			FieldManager:    action.CreateOptions.FieldManager,
			FieldValidation: action.CreateOptions.FieldValidation,
		})
	}
	obj := action.Object.DeepCopyObject()
	object, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	if object.GetName() == "" && object.GetGenerateName() != "" {
		object.SetName(object.GetGenerateName() + rand.String(suffixLength))
	}
	if err = f.Create(action.Resource, obj, action.Namespace, action.CreateOptions); err != nil {
		return nil, err
	}
	stored, err := f.Get(action.Resource, action.Namespace, object.GetName())
	if apierrors.IsNotFound(err) && len(action.CreateOptions.DryRun) > 0 {
		return obj, nil
	}
	return stored, err
}

func (f foreign) answerUpdate(action UpdateActionImpl) (runtime.Object, error) {
	object, err := meta.Accessor(action.Object)
	if err != nil {
		return nil, err
	}
	return f.replace(action.ActionImpl, object.GetName(), action.Object, action.UpdateOptions)
}

func (f foreign) replace(action ActionImpl, name string, obj runtime.Object, opts metav1.UpdateOptions) (runtime.Object, error) {
	if action.Subresource != "" {
		live, err := f.Get(action.Resource, action.Namespace, name)
		if err != nil {
			return nil, err
		}
		if !sameKind(obj, live) {
			return obj, nil
		}
		obj = seenThrough(action.Subresource, live, obj)
	}
	if err := f.Update(action.Resource, obj, action.Namespace, opts); err != nil {
		return nil, err
	}
	return f.Get(action.Resource, action.Namespace, name)
}

func (f foreign) answerPatch(action PatchActionImpl) (runtime.Object, error) {
	if err := f.patch(action); err != nil {
		return nil, err
	}
	return f.Get(action.Resource, action.Namespace, action.Name)
}

func (f foreign) patch(action PatchActionImpl) error {
	if action.PatchType == types.ApplyPatchType {
		configuration, err := applyConfiguration(action.Name, action.Patch)
		if err != nil {
			return err
		}
		return f.Apply(action.Resource, configuration, action.Namespace, action.PatchOptions)
	}
	live, err := f.Get(action.Resource, action.Namespace, action.Name)
	if err != nil {
		return err
	}
	obj, err := patched(live, action.PatchType, action.Patch)
	if err != nil {
		return err
	}
	return f.Patch(action.Resource, seenThrough(action.Subresource, live, obj), action.Namespace, action.PatchOptions)
}

func (f foreign) answerDeleteCollection(DeleteCollectionActionImpl) (bool, error) {
	return false, nil
}
