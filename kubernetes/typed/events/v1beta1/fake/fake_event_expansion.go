package fake

import (
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	fakegentype "github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// The actions of a client of all namespaces have no namespace, as those of client-go's fake.

func (c *fakeEvents) CreateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error) {
	return fakegentype.Invoke(c.Fake.Fake, testing.NewCreateAction(c.Resource(), c.Namespace(), event), event)
}

func (c *fakeEvents) UpdateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error) {
	return fakegentype.Invoke(c.Fake.Fake, testing.NewUpdateAction(c.Resource(), c.Namespace(), event), event)
}

func (c *fakeEvents) PatchWithEventNamespace(event *eventsv1beta1.Event, data []byte) (*eventsv1beta1.Event, error) {
	action := testing.NewPatchAction(c.Resource(), c.Namespace(), event.Name, types.StrategicMergePatchType, data)
	return fakegentype.Invoke(c.Fake.Fake, action, event)
}
