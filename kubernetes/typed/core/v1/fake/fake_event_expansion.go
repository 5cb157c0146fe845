package fake

import (
	"cmp"
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	fakegentype "github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

func (c *fakeEvents) CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return c.CreateWithEventNamespaceWithContext(context.Background(), event)
}

func (c *fakeEvents) UpdateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return c.UpdateWithEventNamespaceWithContext(context.Background(), event)
}

func (c *fakeEvents) PatchWithEventNamespace(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.PatchWithEventNamespaceWithContext(context.Background(), event, data)
}

func (c *fakeEvents) Search(scheme *runtime.Scheme, objOrRef runtime.Object) (*corev1.EventList, error) {
	return c.SearchWithContext(context.Background(), scheme, objOrRef)
}

func (c *fakeEvents) CreateWithEventNamespaceWithContext(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return fakegentype.Invoke(c.Fake.Fake, testing.NewCreateAction(c.Resource(), c.namespaceOf(event), event), event)
}

func (c *fakeEvents) UpdateWithEventNamespaceWithContext(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return fakegentype.Invoke(c.Fake.Fake, testing.NewUpdateAction(c.Resource(), c.namespaceOf(event), event), event)
}

func (c *fakeEvents) PatchWithEventNamespaceWithContext(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	action := testing.NewPatchAction(c.Resource(), c.namespaceOf(event), event.Name, types.StrategicMergePatchType, data)
	return fakegentype.Invoke(c.Fake.Fake, action, event)
}

// namespaceOf returns the namespace of an action on an event: the client's, or else the event's.
func (c *fakeEvents) namespaceOf(event *corev1.Event) string {
	return cmp.Or(c.Namespace(), event.Namespace)
}

// SearchWithContext returns all events in the namespace of the client, or in "default" if the client
// is for all: like client-go's fake, it does not compare them with the object.
func (c *fakeEvents) SearchWithContext(context.Context, *runtime.Scheme, runtime.Object) (*corev1.EventList, error) {
	action := testing.NewListAction(c.Resource(), c.Kind(), cmp.Or(c.Namespace(), metav1.NamespaceDefault), metav1.ListOptions{})
	return fakegentype.Invoke(c.Fake.Fake, action, &corev1.EventList{})
}

// GetFieldSelector records an action, and returns a selector of everything, as client-go's fake does.
func (c *fakeEvents) GetFieldSelector(_, _, _, _ *string) fields.Selector {
	action := testing.GenericActionImpl{ActionImpl: testing.ActionImpl{Verb: "get-field-selector", Resource: c.Resource()}}
	_, _ = c.Fake.Invokes(action, nil)
	return fields.Everything()
}
