package custom

import (
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// gate is what instances of one definition are created through, until the definition is to be
// deleted: then its instances are counted, and none may come after that. The real server's
// finalizer waits, and looks again. All that ever serve the definition share its gate.
type gate struct {
	mu     sync.RWMutex // held for reading while an instance is stored
	closed bool
}

// enter reports whether the gate is open. If it is, it stays so until leave.
func (g *gate) enter() bool {
	g.mu.RLock()
	if g.closed {
		g.mu.RUnlock()
		return false
	}
	return true
}

func (g *gate) leave() { g.mu.RUnlock() }

// close lets no instance be created any more, when those are that are under way.
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

// errTerminating is the answer to who would create an instance, in the real server's words.
func errTerminating(resource schema.GroupResource, name string) error {
	return apierrors.NewForbidden(resource, name, errors.New("create not allowed while custom resource definition is terminating"))
}
