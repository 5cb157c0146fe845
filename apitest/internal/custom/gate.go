package custom

import (
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// gate controls the creation of a CRD's custom resources. It is closed when the CRD is being
// deleted: then its custom resources are counted, and none may be created after that. The real
// server's finalizer waits and looks again instead. All handlers that ever serve the CRD share its
// gate.
type gate struct {
	mu     sync.RWMutex // held for reading while a custom resource is stored
	closed bool
}

// enter reports whether the gate is open. If it is, it stays open until leave.
func (g *gate) enter() bool {
	g.mu.RLock()
	if g.closed {
		g.mu.RUnlock()
		return false
	}
	return true
}

func (g *gate) leave() { g.mu.RUnlock() }

// close waits for the creations in progress and prevents further ones.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

func (g *gate) isClosed() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.closed
}

// errTerminating is the error of creating a custom resource, with the real server's text.
func errTerminating(resource schema.GroupResource, name string) error {
	return apierrors.NewForbidden(resource, name, errors.New("create not allowed while custom resource definition is terminating"))
}
