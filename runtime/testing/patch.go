package testing

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// patched returns what a patch makes of an object, which stays as it is.
func patched(obj runtime.Object, patchType types.PatchType, patch []byte) (runtime.Object, error) {
	before, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch _, untyped := obj.(runtime.Unstructured); {
	case patchType == types.JSONPatchType:
		after, err = jsonPatched(before, patch)
	case patchType == types.MergePatchType:
		after, err = mergePatched(before, patch)
	case patchType == types.StrategicMergePatchType && !untyped:
		after, err = strategicPatched(before, patch, obj)
	case untyped:
		return nil, unsupported(patchType, types.JSONPatchType, types.MergePatchType, types.ApplyPatchType)
	default:
		return nil, unsupported(patchType, types.JSONPatchType, types.MergePatchType, types.ApplyPatchType, types.StrategicMergePatchType)
	}
	if err != nil {
		return nil, err
	}
	result := reflect.New(reflect.TypeOf(obj).Elem()).Interface().(runtime.Object)
	if err := json.Unmarshal(after, result); err != nil {
		return nil, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(after), err.Error()),
		})
	}
	return result, nil
}

func jsonPatched(before, patch []byte) (after []byte, err error) {
	// The library panics on some operations without a value.
	defer func() {
		if failed := recover(); failed != nil {
			after, err = nil, unprocessable(fmt.Errorf("the patch cannot be applied: %v", failed))
		}
	}()
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if after, err = operations.Apply(before); err != nil {
		return nil, unprocessable(err)
	}
	return after, nil
}

func mergePatched(before, patch []byte) ([]byte, error) {
	after, err := jsonpatch.MergePatch(before, patch)
	if err == nil {
		// The library merges whatever it is given, also what is no object.
		var fields map[string]any
		err = json.Unmarshal(patch, &fields)
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return after, nil
}

func strategicPatched(before, patch []byte, typed runtime.Object) ([]byte, error) {
	after, err := strategicpatch.StrategicMergePatch(before, patch, typed)
	switch {
	case err == nil:
		return after, nil
	case errors.Is(err, mergepatch.ErrNoListOfLists), mergepatch.IsPreconditionFailed(err):
		return nil, unprocessable(err)
	}
	return nil, apierrors.NewBadRequest(err.Error())
}

// unprocessable is a server's answer to a patch that does not fit the object, with
// the reason, which servers keep to themselves.
func unprocessable(err error) error {
	return failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid,
		fmt.Sprintf("the server rejected our request due to an error in our request: %v", err))
}

// unsupported is a server's answer to a patch of a type that it does not take.
func unsupported(patchType types.PatchType, supported ...types.PatchType) error {
	return failure(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
		fmt.Sprintf("the body of the request was in an unknown format (%s) - accepted media types include: %v", patchType, supported))
}

func failure(code int32, reason metav1.StatusReason, message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	}}
}

// applyConfiguration decodes the patch of an apply to the object of that name.
func applyConfiguration(name string, patch []byte) (*unstructured.Unstructured, error) {
	data, err := yaml.YAMLToJSON(patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	var content map[string]any
	if err := json.Unmarshal(data, &content); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	configuration := &unstructured.Unstructured{Object: content}
	if content == nil {
		configuration.Object = map[string]any{}
	}
	switch configuration.GetName() {
	case "":
		if err := unstructured.SetNestedField(configuration.Object, name, "metadata", "name"); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	case name:
	default:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", configuration.GetName(), name))
	}
	return configuration, nil
}
