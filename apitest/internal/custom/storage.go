package custom

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
)

// decorated returns options whose storages are wrapped by decorate.
func decorated(options generic.RESTOptions, decorate func(storage.Interface, factory.DestroyFunc) storage.Interface) generic.RESTOptions {
	inner := options.Decorator
	options.Decorator = func(
		config *storagebackend.ConfigForResource, prefix string, key func(runtime.Object) (string, error),
		newObject, newList func() runtime.Object, attributes storage.AttrFunc,
		trigger storage.IndexerFuncs, indexers *cache.Indexers,
	) (storage.Interface, factory.DestroyFunc, error) {
		made, destroy, err := inner(config, prefix, key, newObject, newList, attributes, trigger, indexers)
		if err != nil {
			return nil, nil, err
		}
		return decorate(made, destroy), destroy, nil
	}
	return options
}

// definitionStorages makes a registry observe writes to the storage of CRDs while the registry is
// locked: by one goroutine at a time, hence one worker.
type definitionStorages struct {
	generic.RESTOptionsGetter
	registry *Registry
}

func (g definitionStorages) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	options, err := g.RESTOptionsGetter.GetRESTOptions(resource, example)
	if err != nil {
		return options, err
	}
	options.DeleteCollectionWorkers = 1
	return decorated(options, func(inner storage.Interface, _ factory.DestroyFunc) storage.Interface {
		return &definitionStorage{Interface: inner, registry: g.registry}
	}), nil
}

type definitionStorage struct {
	storage.Interface
	registry *Registry
}

func (s *definitionStorage) Create(ctx context.Context, key string, object, out runtime.Object, ttl uint64) error {
	if err := s.Interface.Create(ctx, key, object, out, ttl); err != nil {
		return err
	}
	return s.registry.observe(out.(*apiextensions.CustomResourceDefinition))
}

func (s *definitionStorage) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object,
) error {
	if err := s.Interface.GuaranteedUpdate(ctx, key, out, ignoreNotFound, preconditions, update, cached); err != nil {
		return err
	}
	return s.registry.observe(out.(*apiextensions.CustomResourceDefinition))
}

func (s *definitionStorage) Delete(
	ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, cached runtime.Object, options storage.DeleteOptions,
) error {
	if err := s.Interface.Delete(ctx, key, out, preconditions, validate, cached, options); err != nil {
		return err
	}
	s.registry.forget(out.(*apiextensions.CustomResourceDefinition).Name)
	return nil
}

// instanceStorages collects the storages that a handler creates, and removes a CRD that is being
// deleted together with its last custom resource.
type instanceStorages struct {
	generic.RESTOptionsGetter
	registry *Registry
	served   *served
}

func (g instanceStorages) GetRESTOptions(resource schema.GroupResource, example runtime.Object) (generic.RESTOptions, error) {
	options, err := g.RESTOptionsGetter.GetRESTOptions(resource, example)
	if err != nil {
		return options, err
	}
	return decorated(options, func(inner storage.Interface, destroy factory.DestroyFunc) storage.Interface {
		g.served.add(destroy)
		return &instanceStorage{Interface: inner, registry: g.registry, served: g.served}
	}), nil
}

type instanceStorage struct {
	storage.Interface
	registry *Registry
	served   *served
}

func (s *instanceStorage) Create(ctx context.Context, key string, object, out runtime.Object, ttl uint64) error {
	if !s.served.gate.enter() {
		return s.refuse(object)
	}
	defer s.served.gate.leave()
	return s.Interface.Create(ctx, key, object, out, ttl)
}

// GuaranteedUpdate creates a custom resource if it does not exist and update accepts an empty one.
func (s *instanceStorage) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, update storage.UpdateFunc, cached runtime.Object,
) error {
	// update may take long, and call webhooks: the gate is entered only to store its result.
	entered := false
	leave := func() {
		if entered {
			s.served.gate.leave()
		}
		entered = false
	}
	defer leave()
	guarded := func(input runtime.Object, was storage.ResponseMeta) (runtime.Object, *uint64, error) {
		leave() // of the last attempt
		object, ttl, err := update(input, was)
		if err != nil || was.ResourceVersion != 0 {
			return object, ttl, err
		}
		if entered = s.served.gate.enter(); !entered {
			return nil, nil, s.refuse(object)
		}
		return object, ttl, nil
	}
	return s.Interface.GuaranteedUpdate(ctx, key, out, ignoreNotFound, preconditions, guarded, cached)
}

func (s *instanceStorage) refuse(object runtime.Object) error {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err
	}
	names := s.served.definition.Load().Spec
	return errTerminating(schema.GroupResource{Group: names.Group, Resource: names.Names.Plural}, accessor.GetName())
}

func (s *instanceStorage) Delete(
	ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, cached runtime.Object, options storage.DeleteOptions,
) error {
	if err := s.Interface.Delete(ctx, key, out, preconditions, validate, cached, options); err != nil {
		return err
	}
	if s.served.gate.isClosed() && !reconciling(ctx) {
		return s.registry.finish(ctx, s.served)
	}
	return nil
}

// finish reconciles a CRD that is being deleted, if it has no custom resources left.
func (r *Registry) finish(ctx context.Context, served *served) error {
	definition := served.definition.Load()
	instances, err := served.handler.GetCustomResourceListerCollectionDeleter(definition)
	if err != nil {
		return err
	}
	if left, err := instances.List(ctx, &metainternal.ListOptions{Limit: 1}); err != nil || meta.LenList(left) > 0 {
		return err
	}
	return r.write(ctx, func() error {
		r.enqueue(definition.Name)
		return nil
	})
}
