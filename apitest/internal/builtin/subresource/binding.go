package subresource

import (
	"context"
	"errors"
	"fmt"

	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	storageerr "k8s.io/apiserver/pkg/storage/errors"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// A binding assigns a pod to a node.
type binding struct{ store *registry.Store }

// NewBinding returns the bindings of the pods in a store.
func NewBinding(store *registry.Store) rest.Storage { return &binding{store} }

// New implements rest.Storage.
func (b *binding) New() runtime.Object { return &corev1.Binding{} }

// Destroy implements rest.Storage. The store is the resource's.
func (b *binding) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (b *binding) NamespaceScoped() bool { return true }

// PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate implements rest.SubresourceObjectMetaPreserver: a binding may have
// the UID and the version of its pod.
func (b *binding) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true }

// Create implements rest.NamedCreater.
func (b *binding) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	bind, ok := obj.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Binding object: %#v", obj))
	}
	if bind.Name != name {
		return nil, apierrors.NewBadRequest("name in URL does not match name in Binding object")
	}
	if errs := checks.Create(bind); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	if validate != nil {
		if err := validate(ctx, bind.DeepCopy()); err != nil {
			return nil, err
		}
	}
	if err := b.assign(ctx, bind, dryrun.IsDryRun(options.DryRun)); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// bindings is the resource of bindings in a namespace, each of which names its pod.
type bindings struct{ *binding }

// NewBindings returns the bindings in a namespace of the pods in a store.
func NewBindings(store *registry.Store) rest.Storage { return bindings{&binding{store}} }

// GetSingularName implements rest.SingularNameProvider.
func (b bindings) GetSingularName() string { return "binding" }

// Create assigns the pod to the node.
func (b bindings) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	bind, ok := obj.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("not a Binding object: %T", obj))
	}
	return b.binding.Create(ctx, bind.Name, obj, validate, options)
}

func (b *binding) assign(ctx context.Context, bind *corev1.Binding, dryRun bool) error {
	key, err := b.store.KeyFunc(ctx, bind.Name)
	if err != nil {
		return err
	}
	conditions := &storage.Preconditions{}
	if bind.UID != "" {
		conditions.UID = &bind.UID
	}
	if bind.ResourceVersion != "" {
		conditions.ResourceVersion = &bind.ResourceVersion
	}
	err = b.store.Storage.GuaranteedUpdate(ctx, key, &corev1.Pod{}, false, conditions,
		storage.SimpleUpdate(func(obj runtime.Object) (runtime.Object, error) {
			return bound(obj.(*corev1.Pod), bind)
		}), dryRun, nil)
	if err == nil {
		return nil
	}
	gr := corev1.Resource("pods")
	err = storageerr.InterpretUpdateError(storageerr.InterpretGetError(err, gr, bind.Name), gr, bind.Name)
	if status := apierrors.APIStatus(nil); !errors.As(err, &status) {
		err = apierrors.NewConflict(corev1.Resource("pods/binding"), bind.Name, err)
	}
	return err
}

// bound returns the pod with its node set.
func bound(p *corev1.Pod, bind *corev1.Binding) (runtime.Object, error) {
	switch {
	case p.DeletionTimestamp != nil:
		return nil, fmt.Errorf("pod %s is being deleted, cannot be assigned to a host", p.Name)
	case p.Spec.NodeName != "":
		return nil, fmt.Errorf("pod %v is already assigned to node %q", p.Name, p.Spec.NodeName)
	case len(p.Spec.SchedulingGates) > 0:
		return nil, fmt.Errorf("pod %v has non-empty .spec.schedulingGates", p.Name)
	}
	p.Spec.NodeName = bind.Target.Name
	p.Status.NominatedNodeName = ""
	for k, v := range bind.Annotations {
		metav1.SetMetaDataAnnotation(&p.ObjectMeta, k, v)
	}
	for k, v := range bind.Labels {
		metav1.SetMetaDataLabel(&p.ObjectMeta, k, v)
	}
	setCondition(&p.Status, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue})
	return p, nil
}

// setCondition sets a condition of a pod. Its time is that of the last change of its status.
func setCondition(s *corev1.PodStatus, c corev1.PodCondition) {
	c.LastTransitionTime = metav1.Now()
	for i, old := range s.Conditions {
		if old.Type != c.Type {
			continue
		}
		if old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
		s.Conditions[i] = c
		return
	}
	s.Conditions = append(s.Conditions, c)
}
