package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Collection is a resource of a server: all objects of one kind.
type Collection struct {
	// Group and Getter are the methods that lead from a clientset to the kind's client:
	// AppsV1 and Deployments.
	Group, Getter string
	// Path is the path at which the objects of all namespaces are listed.
	Path     string
	Resource schema.GroupVersionResource
	Kind     schema.GroupVersionKind
	// Object is the kind's Go type, such as *Deployment.
	Object     reflect.Type
	Namespaced bool
}

// namespace returns the namespace of the collection's objects.
func (c Collection) namespace() string {
	if c.Namespaced {
		return space
	}
	return metav1.NamespaceAll
}

// Collections determines at which path a clientset lists which kind.
func (t Tree) Collections() ([]Collection, error) {
	server := newRecordingServer()
	defer server.Close()
	clientset, err := t.Client(Config(server.URL))
	if err != nil {
		return nil, err
	}
	groups, err := t.groups(clientset, space)
	if err != nil {
		return nil, err
	}
	var found []Collection
	for _, g := range groups {
		version, err := schema.ParseGroupVersion(apiVersion(g))
		if err != nil {
			return nil, err
		}
		for _, k := range g.kinds {
			list := k.client.MethodByName("List")
			if !list.IsValid() {
				continue
			}
			server.expect(reply{status: http.StatusOK, body: "{}"})
			list.Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(metav1.ListOptions{})})
			if len(server.seen()) != 1 {
				return nil, fmt.Errorf("%v.List: %d requests", k, len(server.seen()))
			}
			where, _ := splitNamespace(server.seen()[0].Path)
			kind, err := t.kindOf(k.object)
			if err != nil {
				return nil, err
			}
			found = append(found, Collection{
				Group: k.group, Getter: k.getter,
				Path: where, Resource: version.WithResource(path.Base(where)), Kind: kind,
				Object: k.object, Namespaced: k.namespace != "",
			})
		}
	}
	return found, nil
}

// splitNamespace removes the namespace from the path of a collection.
func splitNamespace(p string) (path, namespace string) {
	before, after, ok := strings.Cut(p, "/namespaces/")
	if !ok {
		return p, ""
	}
	namespace, resource, ok := strings.Cut(after, "/")
	if !ok {
		return p, ""
	}
	return before + "/" + resource, namespace
}

// errNoCollection reports that no client lists the kind of an informer.
var errNoCollection = errors.New("no client lists this kind")
