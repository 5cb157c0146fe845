package plugins

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/admission"
)

// rule is an admission plugin for some operations.
type rule struct {
	operations []admission.Operation
	admit      func(context.Context, admission.Attributes) error // modifies the object; nil for nothing to modify
	validate   func(context.Context, admission.Attributes) error // rejects the request; nil for nothing to reject
}

var (
	_ admission.MutationInterface   = &rule{}
	_ admission.ValidationInterface = &rule{}
)

var (
	onCreate = []admission.Operation{admission.Create}
	onUpdate = []admission.Operation{admission.Update}
	onWrite  = []admission.Operation{admission.Create, admission.Update}
)

// Handles implements admission.Interface.
func (r *rule) Handles(op admission.Operation) bool { return slices.Contains(r.operations, op) }

// Admit implements admission.MutationInterface.
func (r *rule) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if r.admit == nil {
		return nil
	}
	return r.admit(ctx, a)
}

// Validate implements admission.ValidationInterface.
func (r *rule) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if r.validate == nil {
		return nil
	}
	return r.validate(ctx, a)
}

// written returns the object of a request for a T itself, not for a subresource.
func written[T any](a admission.Attributes) (*T, bool) { return part[T](a, "") }

// part returns the object of a request for a subresource whose objects are Ts.
func part[T any](a admission.Attributes, subresource string) (*T, bool) {
	if a.GetSubresource() != subresource {
		return nil, false
	}
	object, ok := any(a.GetObject()).(*T)
	return object, ok
}

// before returns the stored object that a request updates.
func before[T any](a admission.Attributes) (*T, bool) {
	object, ok := any(a.GetOldObject()).(*T)
	return object, ok
}
