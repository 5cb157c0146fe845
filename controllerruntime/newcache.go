package controllerruntime

import (
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/listwatch/listwatch/clientgo"
)

// NewCache is a [cache.NewCacheFunc]: it returns a cache whose informers are listwatch's, unless opts
// names others.
func NewCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
	if opts.NewInformer == nil {
		opts.NewInformer = clientgo.NewInformer
	}
	return cache.New(config, opts)
}
