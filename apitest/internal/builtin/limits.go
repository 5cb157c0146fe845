package builtin

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/limits"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/request"
)

var limitRanges = corev1.SchemeGroupVersion.WithResource("limitranges")

// limiter applies the LimitRanges of a namespace to new pods, and to claims.
type limiter struct{ resources *Resources }

// Handles implements admission.Interface.
func (l *limiter) Handles(op admission.Operation) bool {
	return op == admission.Create || op == admission.Update
}

// limited returns the ranges that concern a request.
func (l *limiter) limited(ctx context.Context, a admission.Attributes) ([]corev1.LimitRange, error) {
	_, isPod := a.GetObject().(*corev1.Pod)
	_, isClaim := a.GetObject().(*corev1.PersistentVolumeClaim)
	switch {
	case isPod && a.GetSubresource() == "resize":
	case a.GetSubresource() != "", isPod && a.GetOperation() == admission.Update, !isPod && !isClaim:
		return nil, nil
	}
	if old := a.GetOldObject(); old != nil {
		if m, err := meta.Accessor(old); err == nil && m.GetDeletionTimestamp() != nil {
			return nil, nil
		}
	}
	return listWithin[corev1.LimitRangeList](ctx, l.resources, limitRanges, a.GetNamespace(), func(list *corev1.LimitRangeList) []corev1.LimitRange { return list.Items })
}

// Admit implements admission.MutationInterface.
func (l *limiter) Admit(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	ranges, err := l.limited(ctx, a)
	if err != nil {
		return err
	}
	if pod, ok := a.GetObject().(*corev1.Pod); ok {
		limits.Default(pod, ranges)
	}
	return nil
}

// Validate implements admission.ValidationInterface.
func (l *limiter) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	ranges, err := l.limited(ctx, a)
	if err != nil {
		return err
	}
	for i := range ranges {
		switch object := a.GetObject().(type) {
		case *corev1.Pod:
			err = limits.CheckPod(object, &ranges[i])
		case *corev1.PersistentVolumeClaim:
			err = limits.CheckClaim(object, &ranges[i])
		}
		if err != nil {
			return admission.NewForbidden(a, err)
		}
	}
	return nil
}

// listWithin returns the objects of a resource in a namespace. They are shared.
func listWithin[L, I any, P interface {
	*L
	runtime.Object
}](ctx context.Context, r *Resources, gvr schema.GroupVersionResource, namespace string, items func(*L) []I) ([]I, error) {
	if namespace == "" || r.options.Backend.Changed(gvr.GroupResource()) == 0 {
		return nil, nil // there never was one
	}
	def, err := r.catalog.Find(gvr)
	if err != nil || def == nil {
		return nil, err
	}
	st, err := r.storage(def)
	if err != nil {
		return nil, err
	}
	got, err := st.store.List(request.WithNamespace(ctx, namespace), &internalversion.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", gvr.Resource, err)
	}
	typed, ok := got.(P)
	if !ok {
		return nil, fmt.Errorf("list %s: got a %T", gvr.Resource, got)
	}
	return items((*L)(typed)), nil
}
