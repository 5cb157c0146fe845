package custom

import (
	"fmt"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	informers "k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions/apiextensions/v1"
	listers "k8s.io/apiextensions-apiserver/pkg/client/listers/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/finalizer"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/tools/cache"
)

const (
	// requestTimeout bounds requests that are not watches.
	requestTimeout = time.Minute
	// minWatchTimeout is the minimum duration of a watch, unless the client requests a shorter one.
	minWatchTimeout = 30 * time.Minute
	// maxBodyBytes is the maximum size of a written object.
	maxBodyBytes = 3 << 20
)

// served serves the custom resources of one CRD as long as what it serves stays the same; if that
// changes, it is replaced.
//
// The real server has one handler for all CRDs, which caches what it needs for each and discards
// that, after a second, when an informer reports that the CRD has changed. Here each CRD has its
// own handler, which knows only that CRD and is never notified of changes: it is dropped, and the
// watches on its storages are ended.
type served struct {
	handler interface {
		http.Handler
		finalizer.CRClientGetter
	}
	// definition is replaced if only conditions and metadata have changed. It equals the stored
	// one, except for the time at which it was established.
	definition atomic.Pointer[v1.CustomResourceDefinition]
	gate       *gate

	// mu guards the fields below.
	mu       sync.Mutex
	storages []func() // destroy the storages that the handler created
	closed   bool
}

// serve serves the custom resources of a CRD, from now on, according to its current state.
func (r *Registry) serve(name string, definition *definition) error {
	if !definition.servable() {
		r.withdraw(name)
		return nil
	}
	old := r.current.Load().served[name]
	gate := &gate{}
	if old != nil && old.definition.Load().UID == definition.versioned.UID {
		gate = old.gate
	}
	if definition.versioned.DeletionTimestamp != nil {
		gate.close()
	}
	if old != nil && definition.serves(old.definition.Load()) {
		old.update(definition.versioned)
		r.replace(name, old)
		return nil
	}
	served, err := newServed(r, definition, gate)
	if err != nil {
		return err
	}
	r.replace(name, served)
	if old != nil {
		old.close()
	}
	return nil
}

// withdraw stops serving the custom resources of a CRD.
func (r *Registry) withdraw(name string) {
	if old := r.current.Load().served[name]; old != nil {
		old.gate.close()
		r.replace(name, nil)
		old.close()
	}
}

func (r *Registry) replace(name string, now *served) {
	next := &snapshot{served: map[string]*served{}}
	maps.Copy(next.served, r.current.Load().served)
	if now == nil {
		delete(next.served, name)
	} else {
		next.served[name] = now
	}
	r.current.Store(next)
}

func newServed(r *Registry, definition *definition, gate *gate) (*served, error) {
	models, err := loadModels()
	if err != nil {
		return nil, err
	}
	s := &served{gate: gate}
	s.update(definition.versioned)
	handler, err := apiserver.NewCustomResourceDefinitionHandler(
		nil, nil, // discovery is served elsewhere
		only{definition: &s.definition},
		r.options.Delegate,
		instanceStorages{RESTOptionsGetter: r.instances, registry: r, served: s},
		r.options.Admission,
		nil, // establishes definitions
		webhook.NewDefaultServiceResolver(),
		nil, // authenticates to webhooks
		1,   // server
		r.options.Authorizer,
		requestTimeout, minWatchTimeout,
		models.schemas,
		maxBodyBytes,
	)
	if err != nil {
		return nil, fmt.Errorf("serve instances of definition %q: %w", definition.object.Name, err)
	}
	s.handler = handler
	return s, nil
}

// update makes requests that begin from now on see the current state of the CRD.
func (s *served) update(definition *v1.CustomResourceDefinition) {
	// The handler delays creations of a custom resource after its CRD was established until other
	// servers have learned of it. There are no other servers.
	shown := *definition
	shown.Status.Conditions = append([]v1.CustomResourceDefinitionCondition(nil), shown.Status.Conditions...)
	if established := apihelpers.FindCRDCondition(&shown, v1.Established); established != nil {
		established.LastTransitionTime = metav1.Time{}
	}
	s.definition.Store(&shown)
}

// add takes over a storage that the handler created.
func (s *served) add(destroy func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		destroy()
		return
	}
	s.storages = append(s.storages, destroy)
}

// close ends the watches of custom resources. Requests in progress may end normally.
func (s *served) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, destroy := range s.storages {
		destroy()
	}
	s.storages = nil
}

// only is an informer and a lister of one CRD. It never calls handlers.
type only struct {
	cache.SharedIndexInformer
	definition *atomic.Pointer[v1.CustomResourceDefinition]
}

var (
	_ informers.CustomResourceDefinitionInformer = only{}
	_ listers.CustomResourceDefinitionLister     = only{}
)

func (o only) Informer() cache.SharedIndexInformer            { return o }
func (o only) Lister() listers.CustomResourceDefinitionLister { return o }

func (o only) AddEventHandler(cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return nil, nil
}

func (o only) List(labels.Selector) ([]*v1.CustomResourceDefinition, error) {
	return []*v1.CustomResourceDefinition{o.definition.Load()}, nil
}

func (o only) Get(name string) (*v1.CustomResourceDefinition, error) {
	if definition := o.definition.Load(); definition.Name == name {
		return definition, nil
	}
	return nil, apierrors.NewNotFound(v1.Resource("customresourcedefinitions"), name)
}
