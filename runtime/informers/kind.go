package informers

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Informer gives access to a shared informer and to its lister of type L.
type Informer[L any] interface {
	// Informer returns the shared informer.
	Informer() cache.SharedIndexInformer
	// Lister returns a lister of the objects in the informer's store.
	Lister() L
}

// TypedInformer is an [Informer] that also returns the informer as type I.
type TypedInformer[I, L any] interface {
	// Informer returns the shared informer.
	Informer() cache.SharedIndexInformer
	// TypedInformer returns the shared informer, typed.
	TypedInformer() I
	// Lister returns a lister of the objects in the informer's store.
	Lister() L
}

// FactoryOf is the part of a generated factory that the informers of its kinds use. Its
// clientset is a C.
type FactoryOf[C any] interface {
	// InformerFor returns the informer of obj's type, which newFunc creates if there is none yet.
	InformerFor(obj runtime.Object, newFunc func(C, time.Duration) cache.SharedIndexInformer) cache.SharedIndexInformer
	// InformerName returns the name under which the informers report metrics, or nil.
	InformerName() *cache.InformerName
}

// Scope is what the groups and versions of a generated factory, an F, pass on to the informers of
// their kinds.
type Scope[F any] struct {
	Factory F
	// Namespace restricts informers to a namespace; empty for all namespaces.
	Namespace string
	// Tweak changes the options of lists and watches; it may be nil.
	Tweak Tweak
}

// Object is the type of a kind's objects, a pointer.
type Object interface {
	runtime.Object
	GetName() string
	GetNamespace() string
}

// Kind describes a kind to the functions that generated informers consist of. Its objects
// are of type T, its typed informer is an I, its lister an L and its clientset a C. A Kind must not be
// changed after its first use; its methods are safe for concurrent use.
type Kind[T Object, I, L, C any] struct {
	// Example is an empty object.
	Example T
	// Resource is the resource of the kind.
	Resource schema.GroupVersionResource
	// Cluster is true for cluster-scoped kinds: namespaces are ignored.
	Cluster bool
	// Lister returns a lister of the objects in an indexer.
	Lister func(cache.Indexer) L
	// ListWatch returns what lists and watches the objects of a namespace, or of all
	// namespaces if it is empty.
	ListWatch func(client C, namespace string, tweak Tweak) cache.ListerWatcher
}

// New returns an informer that belongs to no factory.
func (k *Kind[T, I, L, C]) New(client C, namespace string, options Options) cache.TypedSharedIndexInformer[T] {
	return cache.NewTypedSharedIndexInformer[T](create(client, k.Example, k.Resource, k.Cluster, namespace, options,
		func(namespace string, tweak Tweak) cache.ListerWatcher { return k.ListWatch(client, namespace, tweak) }))
}

// create is the part of [Kind.New] that depends on no type, so that it is compiled once.
func create(client any, example runtime.Object, resource schema.GroupVersionResource, cluster bool, namespace string, options Options, listWatch func(string, Tweak) cache.ListerWatcher) cache.SharedIndexInformer {
	if cluster {
		return New(client, example, resource, options, func(tweak Tweak) cache.ListerWatcher { return listWatch("", tweak) })
	}
	return NewNamespaced(client, example, resource, namespace, options, listWatch)
}

// In returns the kind's informer in a factory, which creates it when it is first used, with
// these settings.
func (k *Kind[T, I, L, C]) In(factory FactoryOf[C], namespace string, tweak Tweak) TypedInformer[I, L] {
	return &inFactory[T, I, L, C]{k, factory, namespace, tweak}
}

type inFactory[T Object, I, L, C any] struct {
	kind      *Kind[T, I, L, C]
	factory   FactoryOf[C]
	namespace string
	tweak     Tweak
}

func (i *inFactory[T, I, L, C]) Informer() cache.SharedIndexInformer {
	return any(i.TypedInformer()).(cache.SharedIndexInformer)
}

func (i *inFactory[T, I, L, C]) TypedInformer() I {
	return as[T, I](i.factory.InformerFor(i.kind.Example, func(client C, resync time.Duration) cache.SharedIndexInformer {
		return i.kind.New(client, i.namespace, inFactoryOptions(i.factory, i.kind.Example, resync, i.factory.InformerName(), i.tweak))
	}))
}

func (i *inFactory[T, I, L, C]) Lister() L { return i.kind.Lister(i.Informer().GetIndexer()) }

// inFactoryOptions returns the options of an informer that a factory creates.
func inFactoryOptions(factory any, example runtime.Object, resync time.Duration, name *cache.InformerName, tweak Tweak) Options {
	return OptionsFor(factory, example, Options{
		ResyncPeriod:     resync,
		Indexers:         cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc},
		InformerName:     name,
		TweakListOptions: tweak,
	})
}

// as returns an informer as an I, which has the methods of a TypedSharedIndexInformer[T].
func as[T Object, I any](informer cache.SharedIndexInformer) I {
	if typed, ok := informer.(I); ok {
		return typed
	}
	return any(cache.NewTypedSharedIndexInformer[T](informer)).(I)
}

// ToTyped returns an informer typed. Its objects must be of the kind, otherwise handlers and index
// functions panic. An informer of a generated factory is typed already and returned as it is.
func (k *Kind[T, I, L, C]) ToTyped(informer Informer[L]) TypedInformer[I, L] {
	if typed, ok := informer.(TypedInformer[I, L]); ok {
		return typed
	}
	return &typedView[T, I, L]{informer}
}

type typedView[T Object, I, L any] struct{ untyped Informer[L] }

func (v *typedView[T, I, L]) Informer() cache.SharedIndexInformer { return v.untyped.Informer() }

func (v *typedView[T, I, L]) TypedInformer() I { return as[T, I](v.untyped.Informer()) }

func (v *typedView[T, I, L]) Lister() L { return v.untyped.Lister() }

// ToIndex returns a shared informer typed, on the condition of [Kind.ToTyped].
func (k *Kind[T, I, L, C]) ToIndex(informer cache.SharedIndexInformer) I { return as[T, I](informer) }

// GenericInformer gives access to an informer for code that does not know the type of the objects. Generated
// factories return a type of that name with the same methods.
type GenericInformer = Informer[cache.GenericLister]

// Generic returns access to an informer of a resource for code that does not know the kind.
func Generic(resource schema.GroupVersionResource, informer cache.SharedIndexInformer) GenericInformer {
	return generic{informer, resource.GroupResource()}
}

type generic struct {
	informer cache.SharedIndexInformer
	resource schema.GroupResource
}

func (g generic) Informer() cache.SharedIndexInformer { return g.informer }

func (g generic) Lister() cache.GenericLister {
	return cache.NewGenericLister(g.informer.GetIndexer(), g.resource)
}
