package embedded

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// loader creates the initial objects of a server.
type loader struct {
	loopback *loopback
	scheme   *runtime.Scheme
	modify   func(*unstructured.Unstructured) // is called with each object before it is created

	known map[schema.GroupVersionKind]apidiscovery.APIResourceDiscovery // found so far
}

// load creates an object, with its status. Errors name the object.
func (l *loader) load(ctx context.Context, obj runtime.Object) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return fmt.Errorf("create a %T: %w", obj, err)
	}
	object := &unstructured.Unstructured{Object: content}
	if _, ok := obj.(runtime.Unstructured); ok {
		object = object.DeepCopy() // its content is the caller's
	}
	name := cache.MetaObjectToName(object).String()
	gvk, err := l.kind(obj)
	if err != nil {
		return fmt.Errorf("create %T %q: set its apiVersion and kind, or add its type to the scheme of WithScheme: %w", obj, name, err)
	}
	object.SetGroupVersionKind(gvk)
	l.modify(object)
	if err := l.create(ctx, gvk, object); err != nil {
		return fmt.Errorf("create %s %q: %w", gvk.Kind, name, err)
	}
	return nil
}

// create creates an object of a kind, with its status.
func (l *loader) create(ctx context.Context, gvk schema.GroupVersionKind, object *unstructured.Unstructured) error {
	resource, ok := l.resource(gvk)
	if !ok {
		return fmt.Errorf("neither a CustomResourceDefinition nor the scheme has %s", gvk)
	}
	collection := collectionPath(gvk.GroupVersion(), resource, object.GetNamespace())
	answered, err := l.send(ctx, http.MethodPost, collection, object)
	if err != nil {
		return err
	}
	status, ok := object.Object["status"].(map[string]any)
	if !ok || len(status) == 0 || !hasStatus(resource) {
		return nil
	}
	created := &unstructured.Unstructured{}
	if err = created.UnmarshalJSON(answered); err != nil {
		return err
	}
	created.Object["status"] = status
	_, err = l.send(ctx, http.MethodPut, path.Join(collection, created.GetName(), "status"), created)
	return err
}

// kind returns the kind set in an object, otherwise the kind of its type.
func (l *loader) kind(obj runtime.Object) (schema.GroupVersionKind, error) {
	if gvk := obj.GetObjectKind().GroupVersionKind(); !gvk.Empty() {
		return gvk, nil
	}
	kinds, _, err := l.scheme.ObjectKinds(obj)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	return kinds[0], nil
}

// resource returns the resource of a kind.
func (l *loader) resource(gvk schema.GroupVersionKind) (apidiscovery.APIResourceDiscovery, bool) {
	found, ok := l.known[gvk]
	if ok {
		return found, true
	}
	l.known = map[schema.GroupVersionKind]apidiscovery.APIResourceDiscovery{}
	for _, group := range l.loopback.discover.Groups() {
		for _, version := range group.Versions {
			for _, resource := range version.Resources {
				if resource.ResponseKind == nil {
					continue
				}
				kind := schema.GroupVersionKind{Group: group.Name, Version: version.Version, Kind: resource.ResponseKind.Kind}
				if _, twice := l.known[kind]; !twice {
					l.known[kind] = resource
				}
			}
		}
	}
	found, ok = l.known[gvk]
	return found, ok
}

// servedAs returns the groups and versions in which a kind that is not served is served otherwise, in order. Kinds of the
// group extensions are in other groups now.
func (l *loader) servedAs(gvk schema.GroupVersionKind) []string {
	var out []string
	for known := range l.known {
		if known.Kind == gvk.Kind && (known.Group == gvk.Group || gvk.Group == "extensions") {
			out = append(out, known.GroupVersion().String())
		}
	}
	slices.Sort(out)
	return out
}

func hasStatus(resource apidiscovery.APIResourceDiscovery) bool {
	for _, sub := range resource.Subresources {
		if sub.Subresource == "status" {
			return true
		}
	}
	return false
}

func collectionPath(gv schema.GroupVersion, resource apidiscovery.APIResourceDiscovery, namespace string) string {
	root := path.Join("/apis", gv.Group, gv.Version)
	if gv.Group == "" {
		root = path.Join("/api", gv.Version)
	}
	if resource.Scope == apidiscovery.ScopeNamespace {
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		root = path.Join(root, "namespaces", namespace)
	}
	return path.Join(root, resource.Resource)
}

// send sends an object and returns the response. Nobody reads warnings, hence none are requested.
func (l *loader) send(ctx context.Context, method, path string, object *unstructured.Unstructured) ([]byte, error) {
	body, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return l.loopback.do(ctx, method, path+"?fieldValidation="+metav1.FieldValidationIgnore, body)
}
