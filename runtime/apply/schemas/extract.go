package schemas

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// ExtractInto sets the fields of config that manager has applied to obj, or to a subresource of it, and still
// owns. It sets nothing if manager owns no fields. The type is obj's in a parser of [Parse]. ExtractInto does not
// modify obj.
//
// It does the same as ExtractInto of apimachinery's package managedfields for typed objects. That package links
// OpenAPI and its protobuf models, which every program with a clientset would have.
func ExtractInto(obj runtime.Object, typ typed.ParseableType, manager string, config any, subresource string) error {
	object, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	owned, err := ownedFields(object.GetManagedFields(), manager, subresource)
	if owned == nil || err != nil {
		return err
	}
	value, err := typ.FromStructured(obj)
	if err != nil {
		return fmt.Errorf("match the object with its schema: %w", err)
	}
	extracted := value.ExtractItems(owned.Leaves()).AsValue().Unstructured()
	fields, ok := extracted.(map[string]any)
	if !ok {
		return fmt.Errorf("the fields of manager %q are a %T, and not an object", manager, extracted)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, config); err != nil {
		return fmt.Errorf("convert the fields of manager %q: %w", manager, err)
	}
	return nil
}

// ownedFields returns the fields that manager has applied; nil if there are none.
func ownedFields(entries []metav1.ManagedFieldsEntry, manager, subresource string) (*fieldpath.Set, error) {
	for _, entry := range entries {
		if entry.Manager != manager || entry.Operation != metav1.ManagedFieldsOperationApply || entry.Subresource != subresource {
			continue
		}
		if entry.FieldsV1 == nil {
			return nil, nil
		}
		owned := &fieldpath.Set{}
		if err := owned.FromJSON(strings.NewReader(entry.FieldsV1.String())); err != nil {
			return nil, fmt.Errorf("read the managed fields of manager %q: %w", manager, err)
		}
		return owned, nil
	}
	return nil, nil
}
