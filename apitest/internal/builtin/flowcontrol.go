package builtin

import (
	"context"
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/subresource"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

var (
	flowSchemas    = flowcontrolv1.SchemeGroupVersion.WithResource("flowschemas")
	priorityLevels = flowcontrolv1.SchemeGroupVersion.WithResource("prioritylevelconfigurations")
)

// createPriorityLevels creates the priority levels that every cluster has in a new store.
func createPriorityLevels(store *registry.Store) error {
	for _, level := range slices.Concat(bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations) {
		if err := createOwn(store, level.DeepCopy()); err != nil {
			return err
		}
	}
	return nil
}

// createFlowSchemas creates the flow schemas that every cluster has in a new store, with their status.
func createFlowSchemas(store *registry.Store, status *subresource.Part) error {
	ctx := request.WithNamespace(context.Background(), "")
	for _, schema := range slices.Concat(bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas) {
		if err := createOwn(store, schema.DeepCopy()); err != nil {
			return err
		}
		found := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
			f := old.(*flowcontrolv1.FlowSchema).DeepCopy()
			if len(f.Status.Conditions) > 0 {
				return f, nil
			}
			f.Status.Conditions = []flowcontrolv1.FlowSchemaCondition{{
				Type: flowcontrolv1.FlowSchemaConditionDangling, Status: flowcontrolv1.ConditionFalse, LastTransitionTime: metav1.Now(), Reason: "Found",
				Message: fmt.Sprintf("This FlowSchema references the PriorityLevelConfiguration object named %q and it exists", f.Spec.PriorityLevelConfiguration.Name),
			}}
			return f, nil
		})
		if _, _, err := status.Update(ctx, schema.Name, found, nil, nil, false, &metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("update the status of flow schema %s: %w", schema.Name, err)
		}
	}
	return nil
}
