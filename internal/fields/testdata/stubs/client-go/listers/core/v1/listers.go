// Package v1 has listers in the form of client-go.
package v1

import v1 "k8s.io/api/core/v1"

type PodLister interface {
	List(selector string) ([]*v1.Pod, error)
	Pods(namespace string) PodNamespaceLister
}

type PodNamespaceLister interface {
	Get(name string) (*v1.Pod, error)
}

type NodeLister interface {
	List(selector string) ([]*v1.Node, error)
	Get(name string) (*v1.Node, error)
}
