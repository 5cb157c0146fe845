// Package csaupgrade prepares objects for server-side apply that were managed by client-side apply: it gives the fields
// of the one's manager to the other's.
package csaupgrade

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Option changes what is upgraded.
type Option func(*options)

type options struct{ subresource string }

// Subresource upgrades the fields that were written through a subresource, instead of those of the object itself.
func Subresource(s string) Option {
	return func(o *options) { o.subresource = s }
}

// FindFieldsOwners returns the entries of an operation whose fields include all of a set. An entry that cannot be
// decoded has no fields.
func FindFieldsOwners(managedFields []metav1.ManagedFieldsEntry, operation metav1.ManagedFieldsOperationType, fields *fieldpath.Set) []metav1.ManagedFieldsEntry {
	var owners []metav1.ManagedFieldsEntry
	for _, entry := range managedFields {
		if entry.Operation != operation {
			continue
		}
		if owned, err := decode(entry); err == nil && fields.Difference(owned).Empty() {
			owners = append(owners, entry)
		}
	}
	return owners
}

// UpgradeManagedFields gives the fields that managers own by updates to a manager that applies, and removes the former.
// It changes obj, and can be called before or after the first apply. It cannot be undone, and fields that the server
// defaulted may be among those that are applied from now on.
func UpgradeManagedFields(obj runtime.Object, csaManagerNames sets.Set[string], ssaManagerName string, opts ...Option) error {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	entries, err := upgrade(accessor.GetManagedFields(), csaManagerNames, ssaManagerName, opts)
	if err != nil {
		return err
	}
	accessor.SetManagedFields(entries)
	return nil
}

// UpgradeManagedFieldsPatch returns a JSON patch that does what [UpgradeManagedFields] does, nil if there is nothing to
// do. It fails with a conflict if the object was changed since obj was read.
func UpgradeManagedFieldsPatch(obj runtime.Object, csaManagerNames sets.Set[string], ssaManagerName string, opts ...Option) ([]byte, error) {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	before := accessor.GetManagedFields()
	entries, err := upgrade(before, csaManagerNames, ssaManagerName, opts)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(before, entries) {
		return nil, nil
	}
	// Replacing the version by itself is a conflict if it is another one; a "test" would be an invalid request.
	return json.Marshal([]map[string]any{
		{"op": "replace", "path": "/metadata/managedFields", "value": entries},
		{"op": "replace", "path": "/metadata/resourceVersion", "value": accessor.GetResourceVersion()},
	})
}

// upgrade returns entries in which the fields of managers belong to one that applies.
func upgrade(entries []metav1.ManagedFieldsEntry, from sets.Set[string], to string, opts []Option) ([]metav1.ManagedFieldsEntry, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	for _, name := range sets.List(from) {
		var err error
		if entries, err = o.upgrade(entries, name, to); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// upgrade returns entries in which the fields of one manager belong to one that applies. The argument is not modified.
func (o options) upgrade(entries []metav1.ManagedFieldsEntry, from, to string) ([]metav1.ManagedFieldsEntry, error) {
	is := func(e metav1.ManagedFieldsEntry, manager string, operation metav1.ManagedFieldsOperationType) bool {
		return e.Manager == manager && e.Operation == operation && e.Subresource == o.subresource
	}
	isUpdate := func(e metav1.ManagedFieldsEntry) bool { return is(e, from, metav1.ManagedFieldsOperationUpdate) }
	isApply := func(e metav1.ManagedFieldsEntry) bool { return is(e, to, metav1.ManagedFieldsOperationApply) }

	entries = slices.Clone(entries)
	at := slices.IndexFunc(entries, isApply)
	if at < 0 {
		// The latest entry comes first: it becomes the one that applies.
		if at = slices.IndexFunc(entries, isUpdate); at < 0 {
			return entries, nil
		}
		entries[at].Manager, entries[at].Operation = to, metav1.ManagedFieldsOperationApply
	}
	fields, err := decode(entries[at])
	if err != nil {
		return nil, fmt.Errorf("failed to convert fields to set: %w", err)
	}
	// Fields of other versions have other paths and cannot be joined.
	same := func(e metav1.ManagedFieldsEntry) bool {
		return isUpdate(e) && e.APIVersion == entries[at].APIVersion
	}
	if i := slices.IndexFunc(entries, same); i >= 0 {
		var more *fieldpath.Set
		if more, err = decode(entries[i]); err != nil {
			return nil, fmt.Errorf("failed to convert fields to set: %w", err)
		}
		fields = fields.Union(more)
	}
	if entries[at].FieldsV1, err = encode(fields); err != nil {
		return nil, fmt.Errorf("failed to encode field set: %w", err)
	}
	if entries = slices.DeleteFunc(entries, isUpdate); len(entries) == 0 {
		return nil, nil
	}
	return entries, nil
}

// decode returns the fields of an entry.
func decode(entry metav1.ManagedFieldsEntry) (*fieldpath.Set, error) {
	fields := &fieldpath.Set{}
	if entry.FieldsV1 == nil {
		return fields, nil
	}
	return fields, fields.FromJSON(strings.NewReader(entry.FieldsV1.String()))
}

// encode returns fields as an entry has them.
func encode(fields *fieldpath.Set) (*metav1.FieldsV1, error) {
	text, err := fields.ToJSON()
	if err != nil {
		return nil, err
	}
	encoded := &metav1.FieldsV1{}
	return encoded, encoded.UnmarshalJSON(text)
}
