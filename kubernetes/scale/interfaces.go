package scale

import (
	"context"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// ScalesGetter gives access to scales.
type ScalesGetter interface {
	// Scales returns the scales of a namespace, or with "" those of cluster-scoped objects.
	Scales(namespace string) ScaleInterface
}

// ScaleInterface contains the verbs of scales. The caller owns the results. Errors of the server are those of
// k8s.io/apimachinery/pkg/api/errors.
type ScaleInterface interface { //nolint:revive // the name is client-go's
	// Get returns the scale of an object.
	Get(ctx context.Context, resource schema.GroupResource, name string, opts metav1.GetOptions) (*autoscalingv1.Scale, error)
	// Update sets the scale of the object that has the scale's name.
	Update(ctx context.Context, resource schema.GroupResource, scale *autoscalingv1.Scale, opts metav1.UpdateOptions) (*autoscalingv1.Scale, error)
	// Patch applies a patch to the scale of an object, which is in the version that the server uses.
	Patch(ctx context.Context, gvr schema.GroupVersionResource, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions) (*autoscalingv1.Scale, error)
}

// PreferredResourceMapper finds the preferred version of a resource.
type PreferredResourceMapper interface {
	// ResourceFor completes a resource without a version.
	ResourceFor(resource schema.GroupVersionResource) (preferredResource schema.GroupVersionResource, err error)
}

var _ PreferredResourceMapper = meta.RESTMapper(nil)

// ScaleKindResolver finds the kind of a resource's scale.
type ScaleKindResolver interface { //nolint:revive // the name is client-go's
	// ScaleForResource returns the kind, with its group and version.
	ScaleForResource(resource schema.GroupVersionResource) (scaleVersion schema.GroupVersionKind, err error)
}
