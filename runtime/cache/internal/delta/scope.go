package delta

import "slices"

// Scope is the part of a store that the lists of one source replace. The zero Scope is everything.
type Scope struct {
	Namespace string   // of the objects, empty for all namespaces
	Except    []string // namespaces whose objects are not in it, if Namespace is empty
	Nothing   bool     // it contains no objects
}

// Contains reports whether the object of a key is in the scope.
func (s Scope) Contains(key string) bool {
	if s.Nothing {
		return false
	}
	if n := len(s.Namespace); n > 0 {
		return len(key) > n && key[n] == '/' && key[:n] == s.Namespace
	}
	return len(s.Except) == 0 || !slices.Contains(s.Except, NameOfKey(key).Namespace)
}
