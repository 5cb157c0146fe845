package builtin

import (
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/codec"
	"github.com/listwatch/listwatch/apitest/internal/builtin/print"
	"github.com/listwatch/listwatch/apitest/internal/builtin/roles"
	"github.com/listwatch/listwatch/apitest/internal/builtin/services"
	"github.com/listwatch/listwatch/apitest/internal/builtin/strategy"
	"github.com/listwatch/listwatch/apitest/internal/builtin/subresource"
	"github.com/listwatch/listwatch/apitest/internal/status"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// A stored resource has one form in storage, its hub, which is shared by the versions that convert
// into each other.
type stored struct {
	hub   *catalog.Definition
	store *registry.Store
	rest  map[string]rest.Storage // by subresource, "" for the resource
}

type lazyStorage struct {
	once   sync.Once
	stored *stored
	err    error
}

// storage returns the storage of a resource, building it if necessary.
func (r *Resources) storage(def *catalog.Definition) (*stored, error) {
	hub, err := r.hub(def)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	l, ok := r.hubs[hub.GVR]
	if !ok {
		l = &lazyStorage{}
		r.hubs[hub.GVR] = l
	}
	r.mu.Unlock()
	l.once.Do(func() { l.stored, l.err = r.open(hub) })
	return l.stored, l.err
}

// find returns the storage of a resource, or nil if it is not served.
func (r *Resources) find(gvr schema.GroupVersionResource) (*stored, error) {
	def, err := r.catalog.Find(gvr)
	if err != nil || def == nil {
		return nil, err
	}
	return r.storage(def)
}

// openStore implements stores.Reader.
func (r *Resources) openStore(gvr schema.GroupVersionResource) (*registry.Store, error) {
	found, err := r.find(gvr)
	if err != nil || found == nil {
		return nil, err
	}
	return found.store, nil
}

// hub returns the definition in whose version a resource is stored: the preferred one, if the
// scheme converts between them.
func (r *Resources) hub(def *catalog.Definition) (*catalog.Definition, error) {
	if as, ok := codec.StoredAs(def.GVR); ok {
		if hub, err := r.catalog.Find(as); hub != nil || err != nil {
			return hub, err
		}
	}
	preferred, err := r.catalog.Preferred(def.GVR.GroupResource())
	if err != nil || preferred == nil || preferred.GVR == def.GVR {
		return def, err
	}
	obj, err := r.options.Scheme.New(def.Kind)
	if err != nil {
		return nil, err
	}
	there, err := r.options.Scheme.ConvertToVersion(obj, preferred.GVR.GroupVersion())
	if err != nil {
		return def, nil // there is no conversion: this version is stored separately
	}
	if _, err := r.options.Scheme.ConvertToVersion(there, def.GVR.GroupVersion()); err != nil {
		return def, nil
	}
	return preferred, nil
}

// open builds the storage of a resource and its subresources.
func (r *Resources) open(hub *catalog.Definition) (*stored, error) {
	if hub.GVR == podBindings {
		return r.openBindings(hub)
	}
	scheme := r.options.Scheme
	example, err := scheme.New(hub.Kind)
	if err != nil {
		return nil, err
	}
	list := hub.GVR.GroupVersion().WithKind(hub.Kind.Kind + "List")
	if _, err = scheme.New(list); err != nil {
		return nil, err
	}
	s := strategy.New(scheme, hub, example)
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return newObject(scheme, hub.Kind) },
		NewListFunc:               func() runtime.Object { return newObject(scheme, list) },
		DefaultQualifiedResource:  hub.GVR.GroupResource(),
		SingularQualifiedResource: schema.GroupResource{Group: hub.GVR.Group, Resource: hub.SingularResource},
		TableConvertor:            print.Convertor(hub.GVR, example),
	}
	s.Configure(store)
	if err = store.CompleteWithOptions(&generic.StoreOptions{
		RESTOptions: r.restOptions(hub, example),
		AttrFunc:    s.Attributes,
	}); err != nil {
		return nil, err
	}
	store.EnableGarbageCollection = true
	switch hub.GVR {
	case coreServices:
		r.mu.Lock()
		r.addresses = services.Assign(store)
		r.mu.Unlock()
		if r.options.Address == "" {
			break
		}
		if err = services.CreateOwn(store, r.options.Address, r.codecs.Defaulter); err != nil {
			return nil, err
		}
	case priorityClasses:
		if err = createSystemClasses(store, r.codecs.Defaulter); err != nil {
			return nil, err
		}
	case priorityLevels:
		if err = createPriorityLevels(store); err != nil {
			return nil, err
		}
	case flowSchemas:
		if err = createFlowSchemas(store, subresource.NewPart(store, s.Status())); err != nil {
			return nil, err
		}
	case mutatingHooks, validatingHooks, mutatingPolicies, mutatingBindings, validatingPolicies, validatingBindings:
		r.notifyHooks(store)
	}
	if roles.Has(hub.GVR) {
		if err = roles.Initialize(hub.GVR, store); err != nil {
			return nil, err
		}
	}
	out := &stored{hub: hub, store: store, rest: map[string]rest.Storage{"": r.main(hub, store)}}
	for _, sub := range hub.Subresources {
		if out.rest[sub.Subresource], err = r.subresource(hub, sub.Subresource, s, store); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var podBindings = corev1.SchemeGroupVersion.WithResource("bindings")

// openBindings returns the storage of bindings: they are not stored, but change pods.
func (r *Resources) openBindings(hub *catalog.Definition) (*stored, error) {
	pods, err := r.find(podBindings.GroupVersion().WithResource("pods"))
	if err != nil {
		return nil, err
	}
	if pods == nil {
		return nil, status.NotFound()
	}
	return &stored{hub: hub, store: pods.store, rest: map[string]rest.Storage{"": subresource.NewBindings(pods.store)}}, nil
}

// newObject returns a new object of a kind that the scheme contains.
func newObject(scheme *runtime.Scheme, kind schema.GroupVersionKind) runtime.Object {
	obj, err := scheme.New(kind)
	if err != nil {
		return &metav1.Status{}
	}
	return obj
}

// restOptions returns how a resource is stored. A version that is stored separately has its own
// keys.
func (r *Resources) restOptions(hub *catalog.Definition, example runtime.Object) generic.RESTOptionsGetter {
	getter := r.options.Backend.RESTOptions(r.codecs.Storage(hub.GVR.GroupVersion(), example))
	if preferred, err := r.catalog.Preferred(hub.GVR.GroupResource()); err == nil && preferred != nil && preferred.GVR == hub.GVR {
		return getter
	}
	return ownKeys{getter, hub.GVR.Version}
}

// ownKeys separates a version's objects from those of other versions.
type ownKeys struct {
	generic.RESTOptionsGetter
	version string
}

// GetRESTOptions implements generic.RESTOptionsGetter.
func (o ownKeys) GetRESTOptions(gr schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	options, err := o.RESTOptionsGetter.GetRESTOptions(gr, example)
	options.ResourcePrefix += "." + o.version
	return options, err
}
