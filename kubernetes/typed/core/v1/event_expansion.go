package v1

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/reference"
	"github.com/listwatch/listwatch/runtime/rest"
)

// EventExpansion has the methods of EventInterface that are written by hand.
//
// The methods WithEventNamespace send their request to the namespace of the event, so that one client
// of all namespaces ("") suffices for events of all objects. A client of one namespace returns an
// error for an event in another.
type EventExpansion interface {
	// CreateWithEventNamespace is CreateWithEventNamespaceWithContext without a context.
	//
	// Deprecated: Use CreateWithEventNamespaceWithContext.
	CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error)
	// UpdateWithEventNamespace is UpdateWithEventNamespaceWithContext without a context.
	//
	// Deprecated: Use UpdateWithEventNamespaceWithContext.
	UpdateWithEventNamespace(event *corev1.Event) (*corev1.Event, error)
	// PatchWithEventNamespace is PatchWithEventNamespaceWithContext without a context.
	//
	// Deprecated: Use PatchWithEventNamespaceWithContext.
	PatchWithEventNamespace(event *corev1.Event, data []byte) (*corev1.Event, error)
	// Search is SearchWithContext without a context.
	//
	// Deprecated: Use SearchWithContext.
	Search(scheme *runtime.Scheme, objOrRef runtime.Object) (*corev1.EventList, error)
	// CreateWithEventNamespaceWithContext creates an event in its namespace.
	CreateWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	// UpdateWithEventNamespaceWithContext replaces the event of the same name and namespace.
	UpdateWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	// PatchWithEventNamespaceWithContext applies a strategic merge patch to the event of the same name
	// and namespace.
	PatchWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
	// SearchWithContext lists the events about an object, or about the object of a
	// *corev1.ObjectReference. The scheme is required if the object does not contain its kind.
	SearchWithContext(ctx context.Context, scheme *runtime.Scheme, objOrRef runtime.Object) (*corev1.EventList, error)
	// GetFieldSelector returns a selector for List and Watch, of the events about an object; nil
	// selects any value.
	GetFieldSelector(involvedObjectName, involvedObjectNamespace, involvedObjectKind, involvedObjectUID *string) fields.Selector
}

func (c *events) CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return c.CreateWithEventNamespaceWithContext(context.Background(), event)
}

func (c *events) UpdateWithEventNamespace(event *corev1.Event) (*corev1.Event, error) {
	return c.UpdateWithEventNamespaceWithContext(context.Background(), event)
}

func (c *events) PatchWithEventNamespace(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.PatchWithEventNamespaceWithContext(context.Background(), event, data)
}

func (c *events) Search(scheme *runtime.Scheme, objOrRef runtime.Object) (*corev1.EventList, error) {
	return c.SearchWithContext(context.Background(), scheme, objOrRef)
}

func (c *events) CreateWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPost, "create")
	if err != nil {
		return nil, err
	}
	result := &corev1.Event{}
	return result, request.Body(event).DoInto(ctx, result)
}

func (c *events) UpdateWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPut, "update")
	if err != nil {
		return nil, err
	}
	result := &corev1.Event{}
	return result, request.Name(event.Name).Body(event).DoInto(ctx, result)
}

func (c *events) PatchWithEventNamespaceWithContext(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	request, err := c.inNamespaceOf(event, http.MethodPatch, "patch")
	if err != nil {
		return nil, err
	}
	result := &corev1.Event{}
	return result, request.SetHeader("Content-Type", string(types.StrategicMergePatchType)).
		Name(event.Name).Body(data).DoInto(ctx, result)
}

// inNamespaceOf returns a request to the namespace of an event, or an error if it is not the client's.
func (c *events) inNamespaceOf(event *corev1.Event, method, verb string) (*rest.Request, error) {
	if c.GetNamespace() != "" && event.Namespace != c.GetNamespace() {
		return nil, fmt.Errorf("can't %s an event with namespace '%v' in namespace '%v'", verb, event.Namespace, c.GetNamespace())
	}
	return c.GetClient().Verb(method).NamespaceIfScoped(event.Namespace, event.Namespace != "").Resource("events"), nil
}

func (c *events) SearchWithContext(ctx context.Context, scheme *runtime.Scheme, objOrRef runtime.Object) (*corev1.EventList, error) {
	ref, err := reference.GetReference(scheme, objOrRef)
	if err != nil {
		return nil, err
	}
	if c.GetNamespace() != "" && ref.Namespace != c.GetNamespace() {
		return nil, fmt.Errorf("won't be able to find any events of namespace '%v' in namespace '%v'", ref.Namespace, c.GetNamespace())
	}
	var kind, uid *string
	if ref.Kind != "" {
		kind = &ref.Kind
	}
	if ref.UID != "" {
		uid = (*string)(&ref.UID)
	}
	selector := c.GetFieldSelector(&ref.Name, &ref.Namespace, kind, uid)
	return c.List(ctx, metav1.ListOptions{FieldSelector: selector.String()})
}

func (c *events) GetFieldSelector(involvedObjectName, involvedObjectNamespace, involvedObjectKind, involvedObjectUID *string) fields.Selector {
	var terms []fields.Selector
	for _, term := range []struct {
		field string
		value *string
	}{
		{"involvedObject.kind", involvedObjectKind},
		{"involvedObject.name", involvedObjectName},
		{"involvedObject.namespace", involvedObjectNamespace},
		{"involvedObject.uid", involvedObjectUID},
	} {
		if term.value != nil {
			terms = append(terms, fields.OneTermEqualSelector(term.field, *term.value))
		}
	}
	return fields.AndSelectors(terms...)
}

// GetInvolvedObjectNameFieldLabel returns "involvedObject.name".
//
// Deprecated: Write it out.
func GetInvolvedObjectNameFieldLabel(version string) string {
	return "involvedObject.name"
}

// EventSinkImpl is the sink of a recorder of package record: it writes events with a client, usually
// of all namespaces.
type EventSinkImpl struct {
	Interface EventInterface
}

// Create creates an event in its namespace.
func (s *EventSinkImpl) Create(event *corev1.Event) (*corev1.Event, error) {
	return s.Interface.CreateWithEventNamespaceWithContext(context.Background(), event)
}

// Update replaces the event of the same name and namespace.
func (s *EventSinkImpl) Update(event *corev1.Event) (*corev1.Event, error) {
	return s.Interface.UpdateWithEventNamespaceWithContext(context.Background(), event)
}

// Patch applies a strategic merge patch to the event of the same name and namespace.
func (s *EventSinkImpl) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return s.Interface.PatchWithEventNamespaceWithContext(context.Background(), event, data)
}
