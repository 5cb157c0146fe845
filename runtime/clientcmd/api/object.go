package api

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var _ runtime.Object = (*Config)(nil)

// SchemeGroupVersion is the version of the types of this package in a scheme: none, since
// they are not what a file has but what it is converted to.
var SchemeGroupVersion = schema.GroupVersion{Version: runtime.APIVersionInternal}

// GetObjectKind makes a Config a runtime.Object.
func (c *Config) GetObjectKind() schema.ObjectKind { return c }

// SetGroupVersionKind sets APIVersion and Kind.
func (c *Config) SetGroupVersionKind(gvk schema.GroupVersionKind) {
	c.APIVersion, c.Kind = gvk.ToAPIVersionAndKind()
}

// GroupVersionKind returns what APIVersion and Kind say.
func (c *Config) GroupVersionKind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(c.APIVersion, c.Kind)
}
