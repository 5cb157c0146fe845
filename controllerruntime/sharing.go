package controllerruntime

// sharesParts reports whether equal parts of the objects of an informer are one in memory: if nobody gets a stored object
// without asking for it, so that handlers get copies, and if a scope has no transform of the program, with which nothing
// would be shared.
func (n *entry) sharesParts() bool {
	plain := false
	for i := range n.scopes {
		s := &n.scopes[i]
		if isTrue(s.UnsafeDisableDeepCopy, false) {
			return false
		}
		plain = plain || s.Transform == nil || positionOf(s.Transform) == stripManagedFields
	}
	return plain
}
