package controllerruntime

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/listwatch/listwatch/kubernetes/shards"
	ourcache "github.com/listwatch/listwatch/runtime/cache"
)

// NewCache is a cache.NewCacheFunc: it returns a cache whose informers are listwatch's. config and opts
// are not modified. If opts.NewInformer is set, the result is controller-runtime's own cache, with these
// informers.
//
// It sends no request, except those of the default mapper for the kinds in opts.ByObject. It fails if one
// of these kinds is not known to the scheme or the mapper, or is cluster-scoped and has namespaces.
func NewCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
	return newCache(config, opts, Options{})
}

// Options are options of caches that cache.Options does not have.
type Options struct {
	// Packed has the informers of some kinds, each named by an example, in all of its forms, hold objects as compressed texts:
	// packed.S2 of runtime/packed. Get and List decode objects in place of copying them.
	// If it is empty, objects are stored decoded. See Packed of SharedIndexInformerOptions in runtime/cache.
	Packed map[client.Object]ourcache.Compression

	// Ring, if set, has the cache contain only the objects whose slots the replica owns, see [NewShardedCache]. If it is
	// nil, the cache contains all.
	Ring *shards.Ring
	// Exempt are kinds that each replica needs whole, each named by an example, in all of its forms: those that objects of
	// all replicas refer to and, by namespace, those without namespaces, which are in one slot.
	Exempt []client.Object
}

// NewCacheWith returns [NewCache] with options. It is for NewCache of ctrl.Options. The function also fails if a kind
// in the options is not known to the scheme, and if opts.NewInformer is set and these options are not empty.
func NewCacheWith(options Options) cache.NewCacheFunc {
	return func(config *rest.Config, opts cache.Options) (cache.Cache, error) {
		return newCache(config, opts, options)
	}
}

func newCache(config *rest.Config, opts cache.Options, more Options) (cache.Cache, error) {
	if opts.NewInformer != nil && len(more.Packed) > 0 {
		return nil, errors.New("objects of a cache with NewInformer cannot be packed; unset one of NewInformer and Packed")
	}
	if opts.NewInformer != nil && more.Ring != nil {
		return nil, errors.New("a cache with NewInformer cannot follow a ring; unset one of NewInformer and Ring")
	}
	if opts.NewInformer != nil {
		return cache.New(config, opts)
	}
	config = rest.CopyConfig(config)
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	if err := complete(config, &opts); err != nil {
		return nil, err
	}
	settings, err := newSettings(opts)
	if err != nil {
		return nil, err
	}
	packed := map[schema.GroupVersionKind]ourcache.Compression{}
	for example, by := range more.Packed {
		gvk, err := apiutil.GVKForObject(example, opts.Scheme)
		if err != nil {
			return nil, fmt.Errorf("packed kind: %w", err)
		}
		packed[gvk] = by
	}
	exempt := map[schema.GroupVersionKind]bool{}
	for _, example := range more.Exempt {
		gvk, err := apiutil.GVKForObject(example, opts.Scheme)
		if err != nil {
			return nil, fmt.Errorf("exempt kind: %w", err)
		}
		exempt[gvk] = true
	}
	var follows *sharding
	if more.Ring != nil {
		follows = newSharding(more.Ring)
	}
	return &engine{
		scheme:    opts.Scheme,
		mapper:    opts.Mapper,
		settings:  settings,
		packed:    packed,
		shards:    follows,
		exempt:    exempt,
		resources: newResources(config, opts.HTTPClient, opts.Scheme),
		strict:    opts.ReaderFailOnMissingInformer,
		onError:   opts.DefaultWatchErrorHandler,
		owner:     "controller-runtime, " + config.Host,
		names:     map[form]*names{},
		informers: map[key]*entry{},
		begun:     make(chan struct{}),
	}, nil
}

// complete sets the options that are required and have defaults.
func complete(config *rest.Config, opts *cache.Options) (err error) {
	if opts.HTTPClient == nil {
		if opts.HTTPClient, err = rest.HTTPClientFor(config); err != nil {
			return fmt.Errorf("could not create HTTP client from config: %w", err)
		}
	}
	if opts.Scheme == nil {
		opts.Scheme = scheme.Scheme
	}
	if opts.Mapper == nil {
		if opts.Mapper, err = apiutil.NewDynamicRESTMapper(config, opts.HTTPClient); err != nil {
			return fmt.Errorf("could not create RESTMapper from config: %w", err)
		}
	}
	return nil
}
