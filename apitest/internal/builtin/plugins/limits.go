package plugins

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/limits"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/admission"
)

var limitRanges = corev1.SchemeGroupVersion.WithResource("limitranges")

// limiter applies the LimitRanges of a namespace to new pods, and to claims.
type limiter struct{ reader stores.Reader }

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
	if a.GetNamespace() == "" {
		return nil, nil
	}
	list, err := stores.ListWritten[corev1.LimitRangeList](ctx, l.reader, limitRanges, a.GetNamespace())
	if err != nil {
		return nil, err
	}
	return list.Items, nil
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
