// Package builder has the part of controller-runtime that the cases use.
package builder

import "sigs.k8s.io/controller-runtime/pkg/client"

type Builder struct{}

func (b *Builder) For(object client.Object) *Builder { return b }
func (b *Builder) Watches(object client.Object, m func(obj client.Object) []string) *Builder {
	return b
}
