package builtin

import (
	"context"
	"errors"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

var priorityClasses = schedulingv1.SchemeGroupVersion.WithResource("priorityclasses")

// systemClasses are the descriptions of the priority classes that every cluster has from the start.
var systemClasses = []struct{ name, description string }{
	{"system-node-critical", "Used for system critical pods that must not be moved from their current node."},
	{"system-cluster-critical", "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."},
}

// createSystemClasses creates the priority classes that every cluster has in a new store.
func createSystemClasses(store *registry.Store, defaulter runtime.ObjectDefaulter) error {
	for _, c := range systemClasses {
		class := &schedulingv1.PriorityClass{
			ObjectMeta: metav1.ObjectMeta{Name: c.name}, Value: validation.SystemPriorities[c.name], Description: c.description,
		}
		defaulter.Default(class)
		if err := createOwn(store, class); err != nil {
			return err
		}
	}
	return nil
}

// priorityStore does not delete the priority classes that every cluster has.
type priorityStore struct{ *registry.Store }

// Delete implements rest.GracefulDeleter.
func (s priorityStore) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	if _, ok := validation.SystemPriorities[name]; ok {
		return nil, false, apierrors.NewForbidden(priorityClasses.GroupResource(), name, errors.New("this is a system priority class and cannot be deleted"))
	}
	return s.Store.Delete(ctx, name, validate, options)
}
