package subresource

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A scale reads and sets the number of a workload's replicas.
type scale struct {
	store *registry.Store
	gvr   schema.GroupVersionResource
	paths managedfields.ResourcePathMappings
}

// NewScale returns the scales of the workloads in a store.
func NewScale(gvr schema.GroupVersionResource, store *registry.Store) rest.Storage {
	return &scale{store: store, gvr: gvr, paths: managedfields.ResourcePathMappings{
		gvr.GroupVersion().String(): fieldpath.MakePathOrDie("spec", "replicas"),
	}}
}

// replicas describes the replicas of a workload: the requested and the current number, and the
// selector.
type replicas struct {
	want     **int32
	have     int32
	selector func() (labels.Selector, error)
}

func replicasOf(obj runtime.Object) (replicas, error) {
	by := func(s *metav1.LabelSelector) func() (labels.Selector, error) {
		return func() (labels.Selector, error) { return metav1.LabelSelectorAsSelector(s) }
	}
	switch o := obj.(type) {
	case *appsv1.Deployment:
		return replicas{&o.Spec.Replicas, o.Status.Replicas, by(o.Spec.Selector)}, nil
	case *appsv1.ReplicaSet:
		return replicas{&o.Spec.Replicas, o.Status.Replicas, by(o.Spec.Selector)}, nil
	case *appsv1.StatefulSet:
		return replicas{&o.Spec.Replicas, o.Status.Replicas, by(o.Spec.Selector)}, nil
	case *corev1.ReplicationController:
		return replicas{&o.Spec.Replicas, o.Status.Replicas, func() (labels.Selector, error) {
			return labels.SelectorFromSet(o.Spec.Selector), nil
		}}, nil
	}
	return replicas{}, fmt.Errorf("a %T has no scale", obj)
}

func scaleOf(obj runtime.Object) (*autoscalingv1.Scale, error) {
	r, err := replicasOf(obj)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	selector, err := r.selector()
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	s := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{
			Name: m.GetName(), Namespace: m.GetNamespace(), UID: m.GetUID(),
			ResourceVersion: m.GetResourceVersion(), CreationTimestamp: m.GetCreationTimestamp(),
		},
		Status: autoscalingv1.ScaleStatus{Replicas: r.have, Selector: selector.String()},
	}
	if *r.want != nil {
		s.Spec.Replicas = **r.want
	}
	return s, nil
}

// New implements rest.Storage.
func (s *scale) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy implements rest.Storage. The store is the resource's.
func (s *scale) Destroy() {}

// Get implements rest.Getter.
func (s *scale) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	obj, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

// ConvertToTable implements rest.TableConvertor.
func (s *scale) ConvertToTable(ctx context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, options)
}

// Update implements rest.Updater.
func (s *scale) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	obj, _, err := s.store.Update(ctx, name, &scaled{UpdatedObjectInfo: info, scale: s, name: name},
		func(ctx context.Context, obj runtime.Object) error {
			now, err := scaleOf(obj)
			if err != nil {
				return err
			}
			return create(ctx, now)
		},
		func(ctx context.Context, obj, old runtime.Object) error {
			now, err := scaleOf(obj)
			if err != nil {
				return err
			}
			was, err := scaleOf(old)
			if err != nil {
				return err
			}
			return update(ctx, now, was)
		}, false, options)
	if err != nil {
		return nil, false, err
	}
	out, err := scaleOf(obj)
	return out, false, err
}

// scaled applies the change of a scale to the workload.
type scaled struct {
	rest.UpdatedObjectInfo
	scale *scale
	name  string
}

// UpdatedObject implements rest.UpdatedObjectInfo.
func (u *scaled) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	obj := old.DeepCopyObject()
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	gr := u.scale.gvr.GroupResource()
	gr.Resource += "/scale"
	if m.GetResourceVersion() == "" {
		return nil, apierrors.NewNotFound(gr, u.name)
	}
	fields := managedfields.NewScaleHandler(m.GetManagedFields(), u.scale.gvr.GroupVersion(), u.scale.paths)
	was, err := scaleOf(obj)
	if err != nil {
		return nil, err
	}
	if was.ManagedFields, err = fields.ToSubresource(); err != nil {
		return nil, err
	}
	changed, err := u.UpdatedObjectInfo.UpdatedObject(ctx, was)
	if err != nil {
		return nil, err
	}
	now, ok := changed.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("expected input object type to be Scale, but %T", changed))
	}
	if errs := validateScale(now); len(errs) > 0 {
		return nil, apierrors.NewInvalid(schema.GroupKind{Group: "autoscaling", Kind: "Scale"}, m.GetName(), errs)
	}
	if now.UID != "" && now.UID != m.GetUID() {
		return nil, apierrors.NewConflict(gr, m.GetName(), fmt.Errorf("Precondition failed: UID in precondition: %v, UID in object meta: %v", now.UID, m.GetUID())) //nolint:staticcheck // clients depend on the server's text
	}
	r, err := replicasOf(obj)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	*r.want = &now.Spec.Replicas
	m.SetResourceVersion(now.ResourceVersion)
	entries, err := fields.ToParent(now.ManagedFields)
	if err != nil {
		return nil, err
	}
	m.SetManagedFields(entries)
	return obj, nil
}

func validateScale(s *autoscalingv1.Scale) field.ErrorList {
	errs := validation.ValidateObjectMeta(&s.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	return append(errs, validation.ValidateNonnegativeField(int64(s.Spec.Replicas), field.NewPath("spec", "replicas"))...)
}
