// Package store keeps the objects of a test server in memory, as etcd keeps those of a
// real one.
package store

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic"
)

// Options of a backend. Zero values mean the defaults.
type Options struct {
	// History is the number of changes that watches and consistent lists can go back to.
	History int
}

// Backend holds the objects of all resources, encoded, under one counter of resource
// versions. It outlives a server that is restarted. It is safe for concurrent use.
type Backend struct{}

// NewBackend returns an empty backend.
func NewBackend(Options) *Backend { return &Backend{} }

// RESTOptions returns how registries store their objects here, in the form that codec gives them.
func (b *Backend) RESTOptions(codec runtime.Codec) generic.RESTOptionsGetter { return nil }

// ResourceVersion returns the resource version of the last change.
func (b *Backend) ResourceVersion() uint64 { return 0 }

// ExpireHistory forgets all that was before now: older resource versions and continue
// tokens are answered with 410 Gone.
func (b *Backend) ExpireHistory() {}

// CloseWatches ends all watches, as a server does that is shut down.
func (b *Backend) CloseWatches() {}
