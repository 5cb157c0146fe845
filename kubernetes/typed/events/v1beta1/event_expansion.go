package v1beta1

import (
	"context"
	"fmt"
	"net/http"

	eventsv1beta1 "k8s.io/api/events/v1beta1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/rest"
)

// EventExpansion has the methods of EventInterface that are written by hand.
//
// They send their request to the namespace of the event, so that one client of all namespaces ("")
// suffices for events of all objects. A client of one namespace returns an error for an event in
// another.
type EventExpansion interface {
	// CreateWithEventNamespace creates an event in its namespace.
	CreateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error)
	// UpdateWithEventNamespace replaces the event of the same name and namespace.
	UpdateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error)
	// PatchWithEventNamespace applies a strategic merge patch to the event of the same name and
	// namespace.
	PatchWithEventNamespace(event *eventsv1beta1.Event, data []byte) (*eventsv1beta1.Event, error)
}

func (c *events) CreateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPost, "create")
	if err != nil {
		return nil, err
	}
	result := &eventsv1beta1.Event{}
	return result, request.Body(event).DoInto(context.Background(), result)
}

func (c *events) UpdateWithEventNamespace(event *eventsv1beta1.Event) (*eventsv1beta1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPut, "update")
	if err != nil {
		return nil, err
	}
	result := &eventsv1beta1.Event{}
	return result, request.Name(event.Name).Body(event).DoInto(context.Background(), result)
}

func (c *events) PatchWithEventNamespace(event *eventsv1beta1.Event, data []byte) (*eventsv1beta1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPatch, "patch")
	if err != nil {
		return nil, err
	}
	result := &eventsv1beta1.Event{}
	return result, request.SetHeader("Content-Type", string(types.StrategicMergePatchType)).
		Name(event.Name).Body(data).DoInto(context.Background(), result)
}

// inNamespaceOf returns a request to the namespace of an event, or an error if it is not the client's.
func (c *events) inNamespaceOf(event *eventsv1beta1.Event, method, verb string) (*rest.Request, error) {
	if c.GetNamespace() != "" && event.Namespace != c.GetNamespace() {
		return nil, fmt.Errorf("can't %s an event with namespace '%v' in namespace '%v'", verb, event.Namespace, c.GetNamespace())
	}
	return c.GetClient().Verb(method).NamespaceIfScoped(event.Namespace, event.Namespace != "").Resource("events"), nil
}
