package custom

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// applier is the field manager of CRDs that are applied without a request.
const applier = "apitest"

// Apply creates CRDs, or updates the labels, annotations and spec of existing ones. It returns when
// their custom resources are served, or with the error of the first one that is not; earlier ones
// stay applied. errors.As finds the API's errors.
func (r *Registry) Apply(ctx context.Context, crds ...*v1.CustomResourceDefinition) error {
	ctx = request.WithNamespace(ctx, metav1.NamespaceNone)
	for _, crd := range crds {
		if err := r.apply(ctx, crd); err != nil {
			return fmt.Errorf("apply definition %q: %w", crd.Name, err)
		}
	}
	for _, crd := range crds {
		if r.current.Load().served[crd.Name] == nil {
			return fmt.Errorf("apply definition %q: its instances are not served: %s", crd.Name, r.reason(crd.Name))
		}
	}
	return nil
}

func (r *Registry) apply(ctx context.Context, crd *v1.CustomResourceDefinition) error {
	crd = crd.DeepCopy()
	apiserver.Scheme.Default(crd)
	wanted := &apiextensions.CustomResourceDefinition{}
	if err := apiserver.Scheme.Convert(crd, wanted, nil); err != nil {
		return err
	}
	transform := func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		object := old.(*apiextensions.CustomResourceDefinition).DeepCopy()
		object.Labels, object.Annotations, object.Spec = wanted.Labels, wanted.Annotations, wanted.Spec
		return r.definitions.scope.FieldManager.UpdateNoErrors(old, object, applier), nil
	}
	_, _, err := r.definitions.Update(ctx, crd.Name, rest.DefaultUpdatedObjectInfo(nil, transform),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
	if !apierrors.IsNotFound(err) {
		return err
	}
	wanted.ManagedFields = nil
	created := r.definitions.scope.FieldManager.UpdateNoErrors(&apiextensions.CustomResourceDefinition{}, wanted, applier)
	_, err = r.definitions.Create(ctx, created, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
	return err
}

// reason returns why the custom resources of a CRD are not served.
func (r *Registry) reason(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	definition := r.known[name]
	if definition == nil {
		return "it was deleted"
	}
	for _, kind := range []apiextensions.CustomResourceDefinitionConditionType{
		apiextensions.NamesAccepted, apiextensions.Established,
	} {
		if condition := apiextensions.FindCRDCondition(definition.object, kind); condition != nil &&
			condition.Status != apiextensions.ConditionTrue {
			return fmt.Sprintf("%s: %s", condition.Reason, condition.Message)
		}
	}
	return "it is not established"
}
