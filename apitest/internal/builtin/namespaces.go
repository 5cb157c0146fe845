package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/defaults"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	storageerr "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var namespaces = corev1.SchemeGroupVersion.WithResource("namespaces")

// initial are the namespaces that every cluster has from the start.
var initial = []string{metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease, metav1.NamespaceDefault}

// Prepare creates the missing ones of the objects that every cluster has from the start, such as
// the namespace default.
func (r *Resources) Prepare(ctx context.Context) error {
	st, err := r.openStore(namespaces)
	if err != nil || st == nil {
		return err
	}
	ctx = request.WithNamespace(ctx, "")
	for _, name := range initial {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		defaults.LabelNamespace(ns)
		if _, err := st.Create(ctx, ns, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create namespace %s: %w", name, err)
		}
	}
	return nil
}

// A namespaceStore deletes in two steps: a namespace first terminates, and is removed when its
// finalizers are. It does not delete collections.
type namespaceStore struct {
	rest.StandardStorage
	store *registry.Store
}

// GetSingularName implements rest.SingularNameProvider.
func (s *namespaceStore) GetSingularName() string { return s.store.GetSingularName() }

// NamespaceScoped implements rest.Scoper.
func (s *namespaceStore) NamespaceScoped() bool { return false }

// GetResetFields implements rest.ResetFieldsStrategy.
func (s *namespaceStore) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

// Delete implements rest.GracefulDeleter.
func (s *namespaceStore) Delete(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	obj, err := s.store.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	ns, ok := obj.(*corev1.Namespace)
	if !ok {
		return nil, false, apierrors.NewInternalError(fmt.Errorf("namespace %s is a %T", name, obj))
	}
	if options == nil {
		options = metav1.NewDeleteOptions(0)
	}
	if options.Preconditions == nil {
		options.Preconditions = &metav1.Preconditions{}
	}
	gr := namespaces.GroupResource()
	p := options.Preconditions
	if p.UID == nil {
		p.UID = &ns.UID
	} else if *p.UID != ns.UID {
		return nil, false, apierrors.NewConflict(gr, name, fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", *p.UID, ns.UID)) //nolint:staticcheck // clients depend on the server's text
	}
	if p.ResourceVersion != nil && *p.ResourceVersion != ns.ResourceVersion {
		return nil, false, apierrors.NewConflict(gr, name, fmt.Errorf("Precondition failed: ResourceVersion in precondition: %v, ResourceVersion in object meta: %v", *p.ResourceVersion, ns.ResourceVersion)) //nolint:staticcheck // clients depend on the server's text
	}
	switch {
	case ns.DeletionTimestamp.IsZero():
		obj, err = s.terminate(ctx, name, validate, options)
		return obj, false, err
	case len(ns.Spec.Finalizers) > 0:
		return ns, false, nil
	}
	return s.store.Delete(ctx, name, validate, options)
}

// terminate marks a namespace as terminating.
func (s *namespaceStore) terminate(ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, error) {
	key, err := s.store.KeyFunc(ctx, name)
	if err != nil {
		return nil, err
	}
	out := s.store.NewFunc()
	conditions := &storage.Preconditions{UID: options.Preconditions.UID, ResourceVersion: options.Preconditions.ResourceVersion}
	err = s.store.Storage.GuaranteedUpdate(ctx, key, out, false, conditions,
		storage.SimpleUpdate(func(existing runtime.Object) (runtime.Object, error) {
			if refused := validate(ctx, existing); refused != nil {
				return nil, refused
			}
			ns := existing.(*corev1.Namespace)
			if ns.DeletionTimestamp.IsZero() {
				ns.DeletionTimestamp = new(metav1.Now())
			}
			ns.Status.Phase = corev1.NamespaceTerminating
			setDependents(ns, options)
			return ns, nil
		}), dryrun.IsDryRun(options.DryRun), nil)
	if err == nil {
		return out, nil
	}
	gr := namespaces.GroupResource()
	err = storageerr.InterpretUpdateError(storageerr.InterpretGetError(err, gr, name), gr, name)
	if status := apierrors.APIStatus(nil); !errors.As(err, &status) {
		err = apierrors.NewInternalError(err)
	}
	return nil, err
}

// setDependents sets the finalizers that determine what happens to a namespace's dependents.
func setDependents(ns *corev1.Namespace, options *metav1.DeleteOptions) {
	set := func(finalizer string, want bool) {
		has := slices.Contains(ns.Finalizers, finalizer)
		if want && !has {
			ns.Finalizers = append(ns.Finalizers, finalizer)
		}
		if !want && has {
			ns.Finalizers = slices.DeleteFunc(ns.Finalizers, func(f string) bool { return f == finalizer })
		}
	}
	switch {
	case options.OrphanDependents != nil: //nolint:staticcheck // old clients send it
		set(metav1.FinalizerOrphanDependents, *options.OrphanDependents)  //nolint:staticcheck // as above
		set(metav1.FinalizerDeleteDependents, !*options.OrphanDependents) //nolint:staticcheck // as above
	case options.PropagationPolicy != nil:
		set(metav1.FinalizerOrphanDependents, *options.PropagationPolicy == metav1.DeletePropagationOrphan)
		set(metav1.FinalizerDeleteDependents, *options.PropagationPolicy == metav1.DeletePropagationForeground)
	}
}
