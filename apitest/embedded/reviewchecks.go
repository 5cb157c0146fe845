package embedded

import (
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// asked is what a review asks about.
type asked struct {
	metadata  *metav1.ObjectMeta
	resource  *authorizationv1.ResourceAttributes
	path      *authorizationv1.NonResourceAttributes
	nobody    bool   // a review of another user names none
	namespace string // of the request; "" for a review of the whole cluster
}

// check returns an error for an invalid review.
func (a *asked) check() error {
	if a.namespace != "" && a.metadata.Namespace != "" && a.metadata.Namespace != a.namespace {
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if errs := a.invalid(); len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Group: authorizationv1.GroupName}, "", errs)
	}
	return nil
}

// invalid returns what is wrong with a review, in the order of the real server.
func (a *asked) invalid() field.ErrorList {
	var errs field.ErrorList
	var path any
	if a.path != nil {
		path = struct{ Path, Verb string }{a.path.Path, a.path.Verb}
	}
	if (a.resource == nil) == (a.path == nil) {
		errs = append(errs, field.Invalid(field.NewPath("spec"), path, "exactly one of nonResourceAttributes or resourceAttributes must be specified"))
	}
	if a.nobody {
		errs = append(errs, field.Invalid(field.NewPath("spec.user"), "", "at least one of user or group must be specified"))
	}
	if a.resource != nil {
		errs = append(errs, invalidSelectors(a.resource)...)
	}
	rest, text := *a.metadata, "must be empty"
	rest.ManagedFields = nil
	if a.namespace != "" {
		rest.Namespace, text = "", "must be empty except for namespace"
	}
	if !equality.Semantic.DeepEqual(rest, metav1.ObjectMeta{}) {
		errs = append(errs, field.Invalid(field.NewPath("metadata"), a.metadata, text))
	}
	if a.namespace == "" {
		return errs
	}
	if a.resource != nil && a.resource.Namespace != a.namespace {
		errs = append(errs, field.Invalid(field.NewPath("spec.resourceAttributes.namespace"), a.resource.Namespace, "must match metadata.namespace"))
	}
	if a.path != nil {
		errs = append(errs, field.Invalid(field.NewPath("spec.nonResourceAttributes"), path, "disallowed on this kind of request"))
	}
	return errs
}
