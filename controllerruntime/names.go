package controllerruntime

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

// names is the name of a cache's informers of one form in metrics.
type names struct{ name *cache.InformerName }

// newNames reserves a name: "controller-runtime", followed by the form and, if several caches of the process
// run, a number.
func newNames(as form) *names {
	base := "controller-runtime"
	if as != structured {
		base += "-" + string(as)
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		if reserved, err := cache.NewInformerName(name); err == nil {
			return &names{reserved}
		}
	}
}

func (n *names) release() { n.name.Release() }

// identity returns the identity of an informer of a resource. e.mu is held.
func (e *engine) identity(as form, resource schema.GroupVersionResource) cache.InformerNameAndResource {
	if e.ended {
		return cache.InformerNameAndResource{}
	}
	if e.names[as] == nil {
		e.names[as] = newNames(as)
	}
	return e.names[as].name.WithResource(resource)
}
