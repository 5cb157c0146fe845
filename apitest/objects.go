package apitest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"path"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
)

// loader creates the objects that a server has from its start, by requests that do not go
// over the network.
type loader struct {
	handler http.Handler
	token   string
	scheme  *runtime.Scheme
	sources []discovery.Source
}

// load creates an object, with its status.
func (l *loader) load(ctx context.Context, obj runtime.Object) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: content}
	gvk := obj.GetObjectKind().GroupVersionKind()
	if gvk.Empty() {
		kinds, _, err := l.scheme.ObjectKinds(obj)
		if err != nil {
			return err
		}
		gvk = kinds[0]
		object.SetGroupVersionKind(gvk)
	}
	resource, ok := l.resource(gvk)
	if !ok {
		return fmt.Errorf("%s is not served", gvk)
	}
	collection := collectionPath(gvk.GroupVersion(), resource, object.GetNamespace())
	created, err := l.send(ctx, http.MethodPost, collection, object)
	if err != nil {
		return err
	}
	status, ok := content["status"].(map[string]any)
	if !ok || len(status) == 0 || !hasStatus(resource) {
		return nil
	}
	created.Object["status"] = status
	_, err = l.send(ctx, http.MethodPut, path.Join(collection, created.GetName(), "status"), created)
	return err
}

// resource finds what a kind is served as.
func (l *loader) resource(gvk schema.GroupVersionKind) (apidiscovery.APIResourceDiscovery, bool) {
	for _, source := range l.sources {
		for _, group := range source.Groups() {
			if group.Name != gvk.Group {
				continue
			}
			for _, version := range group.Versions {
				if version.Version != gvk.Version {
					continue
				}
				for _, resource := range version.Resources {
					if resource.ResponseKind != nil && resource.ResponseKind.Kind == gvk.Kind {
						return resource, true
					}
				}
			}
		}
	}
	return apidiscovery.APIResourceDiscovery{}, false
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

// send sends an object and returns the one that is answered.
func (l *loader) send(ctx context.Context, method, path string, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	body, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.RequestURI = path
	req.Header.Set("Authorization", "Bearer "+l.token)
	req.Header.Set("Content-Type", runtime.ContentTypeJSON)
	req.Header.Set("User-Agent", "apitest")
	answer := &answer{header: http.Header{}, code: http.StatusOK}
	l.handler.ServeHTTP(answer, req)
	if answer.code >= http.StatusMultipleChoices {
		status := &metav1.Status{}
		if err := json.Unmarshal(answer.body.Bytes(), status); err != nil || status.Status != metav1.StatusFailure {
			return nil, fmt.Errorf("%s %s: %d %s", method, path, answer.code, answer.body.Bytes())
		}
		return nil, &apierrors.StatusError{ErrStatus: *status}
	}
	created := &unstructured.Unstructured{}
	return created, created.UnmarshalJSON(answer.body.Bytes())
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
