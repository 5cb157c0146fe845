package custom

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/controller/finalizer"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// finalize deletes the custom resources of a CRD that is being deleted and, when none is left, lets
// it be removed. If some are left, the removal of the last one calls it again.
func (r *Registry) finalize(ctx context.Context, definition *definition) error {
	object := definition.object
	if object.DeletionTimestamp.IsZero() ||
		!apiextensions.CRDHasFinalizer(object, apiextensions.CustomResourceCleanupFinalizer) {
		return nil
	}
	if change := terminating(object, apiextensions.ConditionTrue, "InstanceDeletionInProgress",
		"CustomResource deletion is in progress"); change != nil {
		return r.definitions.change(ctx, object.Name, change)
	}

	done := terminating(object, apiextensions.ConditionFalse, "InstanceDeletionCompleted", "removed all instances")
	resource := schema.GroupResource{Group: object.Spec.Group, Resource: object.Spec.Names.Plural}
	switch {
	case finalizer.OverlappingBuiltInResources()[resource]:
		done = terminating(object, apiextensions.ConditionFalse, "OverlappingBuiltInResource",
			"instances overlap with built-in resources in storage")
	case !apiextensions.IsCRDConditionTrue(object, apiextensions.Established):
		done = terminating(object, apiextensions.ConditionFalse, "NeverEstablished", "resource was never established")
	default:
		left, err := r.deleteInstances(ctx, definition)
		if err != nil || left > 0 {
			return err
		}
	}
	return r.definitions.change(ctx, object.Name, func(object *apiextensions.CustomResourceDefinition) {
		done(object)
		apiextensions.CRDRemoveFinalizer(object, apiextensions.CustomResourceCleanupFinalizer)
	})
}

// terminating returns the change that sets the condition Terminating.
func terminating(object *apiextensions.CustomResourceDefinition, status apiextensions.ConditionStatus, reason, message string) change {
	return setCondition(object, apiextensions.CustomResourceDefinitionCondition{
		Type:    apiextensions.Terminating,
		Status:  status,
		Reason:  reason,
		Message: message,
	})
}

// deleteInstances deletes the custom resources of a CRD and returns the number of those left,
// because they have finalizers.
func (r *Registry) deleteInstances(ctx context.Context, definition *definition) (int, error) {
	served := r.current.Load().served[definition.object.Name]
	if served == nil {
		return 0, nil
	}
	instances, err := served.handler.GetCustomResourceListerCollectionDeleter(definition.versioned)
	if err != nil {
		return 0, fmt.Errorf("find instances: %w", err)
	}
	namespaces, _, err := listInstances(ctx, instances)
	if err != nil {
		return 0, err
	}
	for _, namespace := range sets.List(namespaces) {
		within := request.WithNamespace(ctx, namespace)
		if _, err = instances.DeleteCollection(within, rest.ValidateAllObjectFunc, nil, nil); err != nil {
			return 0, fmt.Errorf("delete instances: %w", err)
		}
	}
	_, left, err := listInstances(ctx, instances)
	return left, err
}

// listInstances returns the namespaces of custom resources and their number.
func listInstances(ctx context.Context, instances rest.Lister) (sets.Set[string], int, error) {
	list, err := instances.List(ctx, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("list instances: %w", err)
	}
	items := list.(*unstructured.UnstructuredList).Items
	namespaces := sets.New[string]()
	for i := range items {
		namespaces.Insert(items[i].GetNamespace())
	}
	return namespaces, len(items), nil
}
