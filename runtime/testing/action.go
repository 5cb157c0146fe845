package testing

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// An Action is one call of a fake client. The interfaces below and the fields of the ...Impl types
// contain the arguments of the call.
type Action interface {
	GetNamespace() string
	GetVerb() string
	GetResource() schema.GroupVersionResource
	GetSubresource() string
	// Matches reports whether the action has this verb and this resource, ignoring case. A resource
	// "pods" includes its subresources; "pods/status" is that subresource only.
	Matches(verb, resource string) bool

	// DeepCopy returns a copy that shares no modifiable data. Fake copies the actions it records
	// and passes on, so it is rarely needed.
	DeepCopy() Action
}

// A GenericAction has a value of any type.
type GenericAction interface {
	Action
	GetValue() any
}

// A GetAction reads one object.
type GetAction interface {
	Action
	GetName() string
}

// A ListAction reads the objects that its restrictions select.
type ListAction interface {
	Action
	GetListRestrictions() ListRestrictions
}

// A CreateAction creates an object.
type CreateAction interface {
	Action
	GetObject() runtime.Object
}

// An UpdateAction replaces an object.
type UpdateAction interface {
	Action
	GetObject() runtime.Object
}

// A DeleteAction deletes one object.
type DeleteAction interface {
	Action
	GetName() string
	GetDeleteOptions() metav1.DeleteOptions
}

// A DeleteCollectionAction deletes the objects that its restrictions select.
type DeleteCollectionAction interface {
	Action
	GetListRestrictions() ListRestrictions
}

// A PatchAction changes one object, or applies a configuration to it.
type PatchAction interface {
	Action
	GetName() string
	GetPatchType() types.PatchType
	GetPatch() []byte
}

// A WatchAction watches the objects that its restrictions select.
type WatchAction interface {
	Action
	GetWatchRestrictions() WatchRestrictions
}

// A ProxyGetAction sends a GET through the proxy of a pod, service or node.
type ProxyGetAction interface {
	Action
	GetScheme() string
	GetName() string
	GetPort() string
	GetPath() string
	GetParams() map[string]string
}

// ListRestrictions are the selectors of a list, parsed.
type ListRestrictions struct {
	Labels labels.Selector
	Fields fields.Selector
}

func (r ListRestrictions) deepCopy() ListRestrictions {
	return ListRestrictions{Labels: copyLabels(r.Labels), Fields: copyFields(r.Fields)}
}

// WatchRestrictions are the selectors and the start of a watch.
type WatchRestrictions struct {
	Labels          labels.Selector
	Fields          fields.Selector
	ResourceVersion string
}

func copyLabels(selector labels.Selector) labels.Selector {
	if selector == nil {
		return nil
	}
	return selector.DeepCopySelector()
}

func copyFields(selector fields.Selector) fields.Selector {
	if selector == nil {
		return nil
	}
	return selector.DeepCopySelector()
}

func copyObject(obj runtime.Object) runtime.Object {
	if obj == nil {
		return nil
	}
	return obj.DeepCopyObject()
}

// ActionImpl is the part that all actions have in common.
type ActionImpl struct {
	Namespace   string
	Verb        string
	Resource    schema.GroupVersionResource
	Subresource string
}

// GetNamespace returns the namespace, which is empty for cluster-scoped resources
// and for all namespaces.
func (a ActionImpl) GetNamespace() string { return a.Namespace }

// GetVerb returns the verb: get, list, watch, create, update, patch, delete or
// delete-collection.
func (a ActionImpl) GetVerb() string { return a.Verb }

// GetResource returns the resource.
func (a ActionImpl) GetResource() schema.GroupVersionResource { return a.Resource }

// GetSubresource returns the path below the object, or the empty string.
func (a ActionImpl) GetSubresource() string { return a.Subresource }

// Matches implements Action.
func (a ActionImpl) Matches(verb, resource string) bool {
	resource, subresource, narrow := strings.Cut(resource, "/")
	return strings.EqualFold(verb, a.Verb) &&
		strings.EqualFold(resource, a.Resource.Resource) &&
		(!narrow || strings.EqualFold(subresource, a.Subresource))
}

// DeepCopy implements Action.
func (a ActionImpl) DeepCopy() Action { return a }

// GenericActionImpl implements GenericAction.
type GenericActionImpl struct {
	ActionImpl
	Value any
}

// GetValue returns the value.
func (a GenericActionImpl) GetValue() any { return a.Value }

// DeepCopy implements Action. The copy shares the value, whose type is unknown.
func (a GenericActionImpl) DeepCopy() Action { return a }

// GetActionImpl implements GetAction.
type GetActionImpl struct {
	ActionImpl
	Name       string
	GetOptions metav1.GetOptions
}

// GetName returns the name of the object.
func (a GetActionImpl) GetName() string { return a.Name }

// GetGetOptions returns the options of the call.
func (a GetActionImpl) GetGetOptions() metav1.GetOptions { return a.GetOptions }

// DeepCopy implements Action.
func (a GetActionImpl) DeepCopy() Action {
	a.GetOptions = *a.GetOptions.DeepCopy()
	return a
}

// ListActionImpl implements ListAction.
type ListActionImpl struct {
	ActionImpl
	Kind             schema.GroupVersionKind
	Name             string
	ListRestrictions ListRestrictions
	ListOptions      metav1.ListOptions
}

// GetKind returns the kind of the items.
func (a ListActionImpl) GetKind() schema.GroupVersionKind { return a.Kind }

// GetListRestrictions returns the selectors.
func (a ListActionImpl) GetListRestrictions() ListRestrictions { return a.ListRestrictions }

// GetListOptions returns the options of the call.
func (a ListActionImpl) GetListOptions() metav1.ListOptions { return a.ListOptions }

// DeepCopy implements Action.
func (a ListActionImpl) DeepCopy() Action {
	a.ListRestrictions = a.ListRestrictions.deepCopy()
	a.ListOptions = *a.ListOptions.DeepCopy()
	return a
}

// CreateActionImpl implements CreateAction.
type CreateActionImpl struct {
	ActionImpl
	Name          string
	Object        runtime.Object
	CreateOptions metav1.CreateOptions
}

// GetObject returns the object as sent.
func (a CreateActionImpl) GetObject() runtime.Object { return a.Object }

// GetCreateOptions returns the options of the call.
func (a CreateActionImpl) GetCreateOptions() metav1.CreateOptions { return a.CreateOptions }

// DeepCopy implements Action.
func (a CreateActionImpl) DeepCopy() Action {
	a.Object = copyObject(a.Object)
	a.CreateOptions = *a.CreateOptions.DeepCopy()
	return a
}

// UpdateActionImpl implements UpdateAction.
type UpdateActionImpl struct {
	ActionImpl
	Object        runtime.Object
	UpdateOptions metav1.UpdateOptions
}

// GetObject returns the object as sent.
func (a UpdateActionImpl) GetObject() runtime.Object { return a.Object }

// GetUpdateOptions returns the options of the call.
func (a UpdateActionImpl) GetUpdateOptions() metav1.UpdateOptions { return a.UpdateOptions }

// DeepCopy implements Action.
func (a UpdateActionImpl) DeepCopy() Action {
	a.Object = copyObject(a.Object)
	a.UpdateOptions = *a.UpdateOptions.DeepCopy()
	return a
}

// PatchActionImpl implements PatchAction.
type PatchActionImpl struct {
	ActionImpl
	Name         string
	PatchType    types.PatchType
	Patch        []byte
	PatchOptions metav1.PatchOptions
}

// GetName returns the name of the object.
func (a PatchActionImpl) GetName() string { return a.Name }

// GetPatch returns the patch as sent.
func (a PatchActionImpl) GetPatch() []byte { return a.Patch }

// GetPatchType returns the type of the patch.
func (a PatchActionImpl) GetPatchType() types.PatchType { return a.PatchType }

// GetPatchOptions returns the options of the call.
func (a PatchActionImpl) GetPatchOptions() metav1.PatchOptions { return a.PatchOptions }

// DeepCopy implements Action. A nil patch becomes an empty one.
func (a PatchActionImpl) DeepCopy() Action {
	a.Patch = append(make([]byte, 0, len(a.Patch)), a.Patch...)
	a.PatchOptions = *a.PatchOptions.DeepCopy()
	return a
}

// DeleteActionImpl implements DeleteAction.
type DeleteActionImpl struct {
	ActionImpl
	Name          string
	DeleteOptions metav1.DeleteOptions
}

// GetName returns the name of the object.
func (a DeleteActionImpl) GetName() string { return a.Name }

// GetDeleteOptions returns the options of the call.
func (a DeleteActionImpl) GetDeleteOptions() metav1.DeleteOptions { return a.DeleteOptions }

// DeepCopy implements Action.
func (a DeleteActionImpl) DeepCopy() Action {
	a.DeleteOptions = *a.DeleteOptions.DeepCopy()
	return a
}

// DeleteCollectionActionImpl implements DeleteCollectionAction.
type DeleteCollectionActionImpl struct {
	ActionImpl
	ListRestrictions ListRestrictions
	DeleteOptions    metav1.DeleteOptions
	ListOptions      metav1.ListOptions
}

// GetListRestrictions returns the selectors.
func (a DeleteCollectionActionImpl) GetListRestrictions() ListRestrictions {
	return a.ListRestrictions
}

// GetDeleteOptions returns the options of the call for each object.
func (a DeleteCollectionActionImpl) GetDeleteOptions() metav1.DeleteOptions {
	return a.DeleteOptions
}

// GetListOptions returns the options of the call that select the objects.
func (a DeleteCollectionActionImpl) GetListOptions() metav1.ListOptions { return a.ListOptions }

// DeepCopy implements Action.
func (a DeleteCollectionActionImpl) DeepCopy() Action {
	a.ListRestrictions = a.ListRestrictions.deepCopy()
	a.DeleteOptions = *a.DeleteOptions.DeepCopy()
	a.ListOptions = *a.ListOptions.DeepCopy()
	return a
}

// WatchActionImpl implements WatchAction.
type WatchActionImpl struct {
	ActionImpl
	WatchRestrictions WatchRestrictions
	ListOptions       metav1.ListOptions
}

// GetWatchRestrictions returns the selectors and the start of the watch.
func (a WatchActionImpl) GetWatchRestrictions() WatchRestrictions { return a.WatchRestrictions }

// GetListOptions returns the options of the call.
func (a WatchActionImpl) GetListOptions() metav1.ListOptions { return a.ListOptions }

// DeepCopy implements Action.
func (a WatchActionImpl) DeepCopy() Action {
	a.WatchRestrictions.Labels = copyLabels(a.WatchRestrictions.Labels)
	a.WatchRestrictions.Fields = copyFields(a.WatchRestrictions.Fields)
	a.ListOptions = *a.ListOptions.DeepCopy()
	return a
}

// ProxyGetActionImpl implements ProxyGetAction.
type ProxyGetActionImpl struct {
	ActionImpl
	Scheme string
	Name   string
	Port   string
	Path   string
	Params map[string]string
}

// GetScheme returns http, https or the empty string.
func (a ProxyGetActionImpl) GetScheme() string { return a.Scheme }

// GetName returns the name of the proxied object.
func (a ProxyGetActionImpl) GetName() string { return a.Name }

// GetPort returns the number or name of the port.
func (a ProxyGetActionImpl) GetPort() string { return a.Port }

// GetPath returns the path of the request.
func (a ProxyGetActionImpl) GetPath() string { return a.Path }

// GetParams returns the query of the request.
func (a ProxyGetActionImpl) GetParams() map[string]string { return a.Params }

// DeepCopy implements Action. Params that are nil become empty.
func (a ProxyGetActionImpl) DeepCopy() Action {
	params := make(map[string]string, len(a.Params))
	maps.Copy(params, a.Params)
	a.Params = params
	return a
}
