package typed

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/conformance/runtime/requests/drive"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Clientset is a generated clientset. It is safe for concurrent use.
type Clientset struct {
	scheme *runtime.Scheme
	kinds  map[schema.GroupVersionResource]kind
	exact  bool
}

// kind describes a clientset's client of a resource.
type kind struct {
	drive.Collection
	// methods is the interface of the kind's client.
	methods reflect.Type
}

// Source describes a generated clientset.
type Source struct {
	// Interface is the interface of the clientset.
	Interface reflect.Type
	New       func(*rest.Config) (any, error)
	Scheme    *runtime.Scheme
	// Exact reports that the server does not decode the objects into Go types, so that an unset
	// field differs from an empty one, as for custom resources.
	Exact bool
}

// New determines the resources for which a clientset has clients.
func New(s Source) (*Clientset, error) {
	tree := drive.Tree{
		Interface: s.Interface,
		Client:    func(c *clientgo.Config) (any, error) { return s.New(&rest.Config{Host: c.Host}) },
		Scheme:    s.Scheme,
	}
	collections, err := tree.Collections()
	if err != nil {
		return nil, fmt.Errorf("find the resources of %v: %w", s.Interface, err)
	}
	c := &Clientset{scheme: s.Scheme, kinds: map[schema.GroupVersionResource]kind{}, exact: s.Exact}
	for _, collection := range collections {
		c.kinds[collection.Resource] = kind{Collection: collection, methods: clientOf(s.Interface, collection)}
	}
	return c, nil
}

// clientOf returns the interface of the client of a collection.
func clientOf(clientset reflect.Type, c drive.Collection) reflect.Type {
	group, _ := clientset.MethodByName(c.Group)
	getter, _ := group.Type.Out(0).MethodByName(c.Getter)
	return getter.Type.Out(0)
}

// Has reports whether the clientset has a client for the resource.
func (c *Clientset) Has(resource schema.GroupVersionResource) bool {
	_, ok := c.kinds[resource]
	return ok
}

// client returns the typed client of a kind.
func (k kind) client(clientset any, namespace string) reflect.Value {
	group := reflect.ValueOf(clientset).MethodByName(k.Group).Call(nil)[0]
	getter := group.MethodByName(k.Getter)
	if !k.Namespaced {
		return getter.Call(nil)[0]
	}
	return getter.Call([]reflect.Value{reflect.ValueOf(namespace)})[0]
}
