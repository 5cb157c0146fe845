// Package event has the part of controller-runtime that the cases use.
package event

import "sigs.k8s.io/controller-runtime/pkg/client"

type UpdateEvent struct {
	ObjectOld client.Object
	ObjectNew client.Object
}
