// Package record has the part of client-go that the cases use.
package record

import "k8s.io/apimachinery/pkg/runtime"

type EventRecorder interface {
	Eventf(object runtime.Object, eventtype, reason, format string, args ...any)
}
