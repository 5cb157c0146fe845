package cache

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
)

// InformerName is a name under which a program runs informers, one for each resource. It is
// reserved until [InformerName.Release], so that metrics of two informers never mix. All methods
// may be called concurrently, and on a nil InformerName, which means no name.
type InformerName struct {
	name string

	mu        sync.Mutex // guards released and resources; taken before informerNames.mu
	released  bool
	resources map[schema.GroupVersionResource]*atomic.Bool
}

// informerNames are the names in use.
var informerNames = struct {
	mu    sync.Mutex // guards names
	names map[string]*InformerName
}{names: map[string]*InformerName{}}

// NewInformerName reserves a name. It fails if the name is empty or in use in this
// process.
func NewInformerName(name string) (*InformerName, error) {
	if name == "" {
		return nil, errors.New("informer name is empty")
	}
	informerNames.mu.Lock()
	defer informerNames.mu.Unlock()
	if _, used := informerNames.names[name]; used {
		return nil, fmt.Errorf("informer name %q is already registered", name)
	}
	n := &InformerName{name: name, resources: map[schema.GroupVersionResource]*atomic.Bool{}}
	informerNames.names[name] = n
	return n, nil
}

// Name returns the name.
func (n *InformerName) Name() string {
	if n == nil {
		return ""
	}
	return n.name
}

// WithResource returns the identity of the informer of a resource. The first one for a resource
// is reserved; another one, or one of a released name, is logged and not reserved: its informer
// works but publishes no metrics.
func (n *InformerName) WithResource(gvr schema.GroupVersionResource) InformerNameAndResource {
	if n == nil {
		return InformerNameAndResource{gvr: gvr}
	}
	id := InformerNameAndResource{name: n.name, gvr: gvr, reserved: new(atomic.Bool)}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.released {
		return id
	}
	if _, taken := n.resources[gvr]; taken {
		klog.Background().Error(nil, "Second informer of the same name and resource publishes no metrics",
			"informerName", n.name, "group", gvr.Group, "version", gvr.Version, "resource", gvr.Resource)
		return id
	}
	id.reserved.Store(true)
	id.of = n
	n.resources[gvr] = id.reserved
	return id
}

// Release frees the name. Identities of it are no longer reserved. A second call does nothing.
func (n *InformerName) Release() {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.released {
		return
	}
	n.released = true
	for _, reserved := range n.resources {
		reserved.Store(false)
	}
	clear(n.resources)
	informerNames.mu.Lock()
	defer informerNames.mu.Unlock()
	delete(informerNames.names, n.name)
}

// InformerNameAndResource identifies an informer in metrics and logs. The zero value identifies
// no informer.
type InformerNameAndResource struct {
	name     string
	gvr      schema.GroupVersionResource
	reserved *atomic.Bool
	of       *InformerName // that it is reserved in, or nil
}

// Release frees the identity of an informer that has stopped: another one of the name and resource can be
// reserved. A second call does nothing.
func (n InformerNameAndResource) Release() {
	if n.of == nil {
		return
	}
	n.of.mu.Lock()
	defer n.of.mu.Unlock()
	n.reserved.Store(false)
	if n.of.resources[n.gvr] == n.reserved {
		delete(n.of.resources, n.gvr)
	}
}

// Name returns the informer's name, empty if it has none.
func (n InformerNameAndResource) Name() string { return n.name }

// GroupVersionResource returns the resource.
func (n InformerNameAndResource) GroupVersionResource() schema.GroupVersionResource { return n.gvr }

// Reserved reports whether the identity is the only one of its name and resource. Metrics are
// published while it is true; it becomes false when the name is released.
func (n InformerNameAndResource) Reserved() bool {
	return n.reserved != nil && n.reserved.Load()
}

// ResetInformerNamesForTesting releases all names. It is for tests only.
func ResetInformerNamesForTesting() {
	informerNames.mu.Lock()
	names := make([]*InformerName, 0, len(informerNames.names))
	for _, n := range informerNames.names {
		names = append(names, n)
	}
	informerNames.mu.Unlock()
	for _, n := range names {
		n.Release()
	}
}
