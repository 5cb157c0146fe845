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
	// minWatchTimeout is how long a watch lasts at least, unless the client asks for less.
	minWatchTimeout = 30 * time.Minute
	// maxBodyBytes is the largest object that can be written.
	maxBodyBytes = 3 << 20
)

// served serves the instances of one definition for as long as what it serves stays the
// same; a definition that changes in that gets another.
//
// The real server has one handler for all definitions, which keeps what it needs for each and
// tears that down, after a second, when an informer tells that the definition has changed.
// Here each definition has a handler of its own, which knows only that definition and is never
// told of changes: it is dropped, and the watches on its storages are ended.
type served struct {
	handler interface {
		http.Handler
		finalizer.CRClientGetter
	}
	// definition is replaced where only conditions and metadata have changed. It is as it
	// is stored, except for the time since which it is established.
	definition atomic.Pointer[v1.CustomResourceDefinition]
	gate       *gate

	// mu guards the fields below.
	mu       sync.Mutex
	storages []func() // destroy those that the handler made
	closed   bool
}

// serve serves the instances of a definition, from now on, as the definition is now.
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

// withdraw ends the serving of a definition's instances.
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

// update lets requests that begin from now on see the definition as it is now.
func (s *served) update(definition *v1.CustomResourceDefinition) {
	// The handler lets the first creates of instances wait for other servers to learn of a
	// definition that has just been established. There are none.
	shown := *definition
	shown.Status.Conditions = append([]v1.CustomResourceDefinitionCondition(nil), shown.Status.Conditions...)
	if established := apihelpers.FindCRDCondition(&shown, v1.Established); established != nil {
		established.LastTransitionTime = metav1.Time{}
	}
	s.definition.Store(&shown)
}

// add takes over a storage that the handler made.
func (s *served) add(destroy func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		destroy()
		return
	}
	s.storages = append(s.storages, destroy)
}

// close ends the watches of instances. Requests that are under way may end as they would have.
func (s *served) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, destroy := range s.storages {
		destroy()
	}
	s.storages = nil
}

// only is an informer and a lister of one definition. It tells nobody of changes.
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
