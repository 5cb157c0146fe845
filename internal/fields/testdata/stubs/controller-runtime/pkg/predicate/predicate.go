// Package predicate has the part of controller-runtime that the cases use.
package predicate

import "sigs.k8s.io/controller-runtime/pkg/event"

type Funcs struct {
	UpdateFunc func(event.UpdateEvent) bool
}
