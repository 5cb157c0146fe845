package api

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var _ runtime.Object = (*Config)(nil)

// SchemeGroupVersion is the version of this package's types in a scheme: the internal version, since files are
// converted to them.
var SchemeGroupVersion = schema.GroupVersion{Version: runtime.APIVersionInternal}

// SchemeBuilder and AddToScheme add Config to a scheme as its internal version.
var (
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)
	AddToScheme   = SchemeBuilder.AddToScheme
)

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion, &Config{})
	return nil
}

// GetObjectKind makes a Config a runtime.Object.
func (c *Config) GetObjectKind() schema.ObjectKind { return c }

// SetGroupVersionKind sets APIVersion and Kind.
func (c *Config) SetGroupVersionKind(gvk schema.GroupVersionKind) {
	c.APIVersion, c.Kind = gvk.ToAPIVersionAndKind()
}

// GroupVersionKind returns the values of APIVersion and Kind.
func (c *Config) GroupVersionKind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(c.APIVersion, c.Kind)
}
