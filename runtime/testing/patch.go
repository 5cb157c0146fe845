package testing

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

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

// patched returns the result of applying a patch to an object, which is not modified, or the error
// of a server.
func patched(obj runtime.Object, patchType types.PatchType, patch []byte) (runtime.Object, error) {
	supported := []types.PatchType{types.JSONPatchType, types.MergePatchType, types.ApplyPatchType}
	if _, untyped := obj.(runtime.Unstructured); !untyped {
		supported = append(supported, types.StrategicMergePatchType)
	}
	if patchType == types.ApplyPatchType || !slices.Contains(supported, patchType) {
		return nil, unsupported(patchType, supported...)
	}
	before, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	after, err := merged(before, patchType, patch, emptyLike(obj))
	if err == nil && patchType == types.MergePatchType {
		// The library merges any value, even one that is not an object.
		var fields map[string]any
		err = json.Unmarshal(patch, &fields)
	}
	if err != nil {
		return nil, refused(patchType, patch, err)
	}
	result := emptyLike(obj)
	if err := json.Unmarshal(after, result); err != nil {
		return nil, apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(after), err.Error()),
		})
	}
	return result, nil
}

// refused returns a server's error for a patch that cannot be merged: it is malformed, or does not
// fit the object.
func refused(patchType types.PatchType, patch []byte, err error) error {
	_, malformed := jsonpatch.DecodePatch(patch)
	switch {
	case patchType == types.JSONPatchType && malformed == nil,
		errors.Is(err, mergepatch.ErrNoListOfLists),
		mergepatch.IsPreconditionFailed(err):
		return unprocessable(err)
	}
	return apierrors.NewBadRequest(err.Error())
}

// merged returns the result of applying a patch to the JSON of an object of typed's type.
func merged(before []byte, patchType types.PatchType, patch []byte, typed runtime.Object) ([]byte, error) {
	switch patchType {
	case types.JSONPatchType:
		return jsonMerged(before, patch)
	case types.MergePatchType:
		return jsonpatch.MergePatch(before, patch)
	case types.StrategicMergePatchType:
		return strategicpatch.StrategicMergePatch(before, patch, typed)
	}
	return nil, fmt.Errorf("PatchType %s is not supported", patchType)
}

func jsonMerged(before, patch []byte) (after []byte, err error) {
	// The library panics for some operations without a value.
	defer func() {
		if failed := recover(); failed != nil {
			after, err = nil, fmt.Errorf("the patch cannot be applied: %v", failed)
		}
	}()
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	return operations.Apply(before)
}

// emptyLike returns an empty object of another object's type.
func emptyLike(obj runtime.Object) runtime.Object {
	return reflect.New(reflect.TypeOf(obj).Elem()).Interface().(runtime.Object)
}

// unprocessable is a server's error for a patch that does not fit the object, with the reason,
// which servers omit.
func unprocessable(err error) error {
	return failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid,
		fmt.Sprintf("the server rejected our request due to an error in our request: %v", err))
}

// unsupported is a server's error for a patch type that it does not support.
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
