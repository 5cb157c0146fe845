// Package fake has a client of scales for tests, which records calls and answers with reactors.
package fake

import (
	"context"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/scale"
	"github.com/listwatch/listwatch/runtime/testing"
)

// FakeScaleClient is a [scale.ScalesGetter]. Without a reactor, its results are empty scales.
type FakeScaleClient struct { //nolint:revive // the name is client-go's
	testing.Fake
}

var _ scale.ScalesGetter = &FakeScaleClient{}

// Scales returns the scales of a namespace.
func (f *FakeScaleClient) Scales(namespace string) scale.ScaleInterface {
	return &scales{&f.Fake, namespace}
}

type scales struct {
	fake      *testing.Fake
	namespace string
}

func (s *scales) Get(_ context.Context, resource schema.GroupResource, name string, _ metav1.GetOptions) (*autoscalingv1.Scale, error) {
	return s.invoke(testing.NewGetSubresourceAction(resource.WithVersion(""), s.namespace, "scale", name))
}

func (s *scales) Update(_ context.Context, resource schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	return s.invoke(testing.NewUpdateSubresourceAction(resource.WithVersion(""), "scale", s.namespace, scale))
}

func (s *scales) Patch(_ context.Context, gvr schema.GroupVersionResource, name string, pt types.PatchType, data []byte, _ metav1.PatchOptions) (*autoscalingv1.Scale, error) {
	return s.invoke(testing.NewPatchSubresourceAction(gvr, s.namespace, name, pt, data, "scale"))
}

func (s *scales) invoke(action testing.Action) (*autoscalingv1.Scale, error) {
	obj, err := s.fake.Invokes(action, &autoscalingv1.Scale{})
	if err != nil {
		return nil, err
	}
	return obj.(*autoscalingv1.Scale), nil
}
