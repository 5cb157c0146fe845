package store

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Registries set the times of objects by the system's clock. If the backend has its own, they are set
// again here.

// setCreated sets the creation time of a new object.
func (r *Resource) setCreated(obj runtime.Object) {
	clock := r.table.backend.clock
	if !clock.Own() {
		return
	}
	if m, err := meta.Accessor(obj); err == nil && !m.GetCreationTimestamp().Time.IsZero() {
		m.SetCreationTimestamp(metav1.NewTime(clock.Now()))
	}
}

// setDeleted sets the time of an object's deletion, after its grace period, if an update begins it.
func (r *Resource) setDeleted(old *record, obj runtime.Object) {
	clock := r.table.backend.clock
	if !clock.Own() {
		return
	}
	m, err := meta.Accessor(obj)
	if err != nil || m.GetDeletionTimestamp() == nil {
		return
	}
	was, err := r.decode(old)
	if err != nil {
		return // the update has decoded it before
	}
	if before, err := meta.Accessor(was.object); err != nil || before.GetDeletionTimestamp() != nil {
		return
	}
	at := clock.Now()
	if grace := m.GetDeletionGracePeriodSeconds(); grace != nil {
		at = at.Add(time.Duration(*grace) * time.Second)
	}
	deleted := metav1.NewTime(at)
	m.SetDeletionTimestamp(&deleted)
}
