package v1

import "k8s.io/apimachinery/pkg/runtime"

// RegisterDefaults does nothing: the types have no defaults.
func RegisterDefaults(*runtime.Scheme) error { return nil }
