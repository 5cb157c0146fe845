package controllerruntime

import (
	"reflect"

	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// sharesParts reports whether equal parts of the objects of an informer are one in memory: if nobody gets a stored object
// without asking for it, so that handlers get copies, and if a scope has no transform of the program, with which nothing
// would be shared. Objects that Keep has cut share parts even if this is false.
func (n *entry) sharesParts() bool {
	plain := false
	for i := range n.scopes {
		s := &n.scopes[i]
		if isTrue(s.UnsafeDisableDeepCopy, false) {
			return false
		}
		plain = plain || s.Transform == nil || positionOf(s.Transform) == stripManagedFields || cuts(s.Transform)
	}
	return plain
}

// keep is the address of the functions that cache.Keep returns. They have no position in the source.
var keep = reflect.ValueOf(cache.Keep()).Pointer()

// cuts reports whether a transform is one of cache.Keep.
func cuts(f theircache.TransformFunc) bool { return reflect.ValueOf(f).Pointer() == keep }
