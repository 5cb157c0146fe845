// Package v1 has informers in the form of client-go.
package v1

import (
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

type PodInformer interface {
	Informer() cache.SharedIndexInformer
	Lister() listers.PodLister
}

type NodeInformer interface {
	Informer() cache.SharedIndexInformer
	Lister() listers.NodeLister
}
