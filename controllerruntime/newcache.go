package controllerruntime

import (
	"fmt"

	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// NewCache is a cache.NewCacheFunc: it returns a cache whose informers are listwatch's. config and opts
// are not modified. If opts.NewInformer is set, the result is controller-runtime's own cache, with these
// informers.
//
// It sends no request, except those of the default mapper for the kinds in opts.ByObject. It fails if one
// of these kinds is not known to the scheme or the mapper, or is cluster-scoped and has namespaces.
func NewCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
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
	return &engine{
		scheme:    opts.Scheme,
		mapper:    opts.Mapper,
		settings:  settings,
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
