package controllers

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// GarbageCollector deletes objects whose owners do not exist, and does what the finalizers foregroundDeletion and
// orphan of objects being deleted request: it deletes their dependents first, or removes them as owners.
//
// An object whose owner has a kind that is not served, or that is in no namespace while its owner must be in one, is
// left alone, as in a cluster.
func GarbageCollector() embedded.Controller { return &collector{} }

type collector struct{}

// Reconcile implements embedded.Controller.
func (*collector) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	c := &collection{cluster: cluster, done: map[types.UID]bool{}}
	var errs []error
	for _, change := range changes {
		errs = append(errs, c.changed(ctx, change))
	}
	return errors.Join(errs...)
}

// collection is one call of the collector.
type collection struct {
	cluster *embedded.Cluster
	done    map[types.UID]bool // objects that were examined
}

// changed examines everything whose state follows from an object.
func (c *collection) changed(ctx context.Context, change embedded.Change) error {
	object := change.Object
	if change.Deleted {
		return errors.Join(c.dependents(ctx, object.UID), c.owners(ctx, change))
	}
	if object.DeletionTimestamp == nil {
		if len(object.OwnerReferences) == 0 {
			return nil
		}
		return errors.Join(c.examine(ctx, change), c.owners(ctx, change))
	}
	switch {
	case slices.Contains(object.Finalizers, metav1.FinalizerOrphanDependents):
		return c.orphan(ctx, change)
	case slices.Contains(object.Finalizers, metav1.FinalizerDeleteDependents):
		return errors.Join(c.dependents(ctx, object.UID), c.finish(ctx, change), c.owners(ctx, change))
	}
	return nil
}

// dependents examines the dependents of an object.
func (c *collection) dependents(ctx context.Context, owner types.UID) error {
	var errs []error
	for _, dependent := range c.cluster.Referring(owner) {
		errs = append(errs, c.examine(ctx, dependent))
	}
	return errors.Join(errs...)
}

// owners examines the owners that wait for an object to be deleted.
func (c *collection) owners(ctx context.Context, change embedded.Change) error {
	var errs []error
	for _, ref := range change.Object.OwnerReferences {
		owner, err := c.cluster.Find(ctx, ref, change.Object.Namespace)
		if err == nil && owner != nil && owner.Object.UID == ref.UID && waits(owner.Object) {
			errs = append(errs, c.finish(ctx, *owner))
		}
	}
	return errors.Join(errs...)
}

// waits reports whether an object is deleted after its dependents.
func waits(object *metav1.PartialObjectMetadata) bool {
	return object.DeletionTimestamp != nil && slices.Contains(object.Finalizers, metav1.FinalizerDeleteDependents)
}

// examine deletes an object if none of its owners needs it.
func (c *collection) examine(ctx context.Context, change embedded.Change) error {
	object := change.Object
	if c.done[object.UID] || object.DeletionTimestamp != nil && !waits(object) {
		return nil
	}
	if object.DeletionTimestamp != nil {
		return c.finish(ctx, change)
	}
	c.done[object.UID] = true
	var solid, waiting, all []metav1.OwnerReference
	for _, ref := range object.OwnerReferences {
		owner, err := c.cluster.Find(ctx, ref, object.Namespace)
		switch {
		case apierrors.IsBadRequest(err) || apierrors.IsNotFound(err):
			return nil // an owner that nobody can look up
		case err != nil:
			return err
		case owner == nil || owner.Object.UID != ref.UID:
		case waits(owner.Object):
			waiting = append(waiting, ref)
		default:
			solid = append(solid, ref)
		}
		all = append(all, ref)
	}
	switch {
	case len(solid) == len(all):
		return nil
	case len(solid) > 0:
		return ignore(c.cluster.Update(ctx, change, object.Finalizers, solid))
	}
	policy := metav1.DeletePropagationBackground
	switch {
	case len(waiting) > 0 && len(c.cluster.Referring(object.UID)) > 0:
		policy = metav1.DeletePropagationForeground
	case slices.Contains(object.Finalizers, metav1.FinalizerOrphanDependents):
		policy = metav1.DeletePropagationOrphan
	case slices.Contains(object.Finalizers, metav1.FinalizerDeleteDependents):
		policy = metav1.DeletePropagationForeground
	}
	return ignore(c.cluster.Delete(ctx, change, metav1.DeleteOptions{
		Preconditions:     &metav1.Preconditions{UID: &object.UID},
		PropagationPolicy: &policy,
	}))
}

// finish removes the finalizer of an object that waits for its dependents, if none blocks it.
func (c *collection) finish(ctx context.Context, change embedded.Change) error {
	object := change.Object
	for _, dependent := range c.cluster.Referring(object.UID) {
		for _, ref := range dependent.Object.OwnerReferences {
			if ref.UID == object.UID && ref.BlockOwnerDeletion != nil && *ref.BlockOwnerDeletion {
				return nil
			}
		}
	}
	return ignore(c.cluster.Update(ctx, change, without(object.Finalizers, metav1.FinalizerDeleteDependents), object.OwnerReferences))
}

// orphan removes an object from its dependents, and then the finalizer for that.
func (c *collection) orphan(ctx context.Context, change embedded.Change) error {
	uid := change.Object.UID
	for _, dependent := range c.cluster.Referring(uid) {
		owners := slices.DeleteFunc(slices.Clone(dependent.Object.OwnerReferences), func(ref metav1.OwnerReference) bool { return ref.UID == uid })
		if err := ignore(c.cluster.Update(ctx, dependent, dependent.Object.Finalizers, owners)); err != nil {
			return err
		}
	}
	return ignore(c.cluster.Update(ctx, change, without(change.Object.Finalizers, metav1.FinalizerOrphanDependents), change.Object.OwnerReferences))
}

// without returns a list without an element.
func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}

// ignore returns nil for errors of an object that was deleted or written again: that write is another change.
func ignore(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
