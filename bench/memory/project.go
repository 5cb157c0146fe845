package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/bench/internal/contest"
)

// fields are those that a cache keeps: ours by a call of Keep, client-go's by a transform.
type fields struct {
	paths []string
	cut   theircache.TransformFunc
}

// The fields that programs keep by hand, by their transforms, and what listwatch-fields finds that they read. Those of Cilium are the
// union of its operator's consumers.
var (
	keda = &fields{
		paths: []string{"spec.nodeName", "status.phase", "status.conditions.type", "status.conditions.status", "-metadata.annotations"},
		cut: ofPods(func(pod *corev1.Pod) *corev1.Pod {
			return &corev1.Pod{
				ObjectMeta: essential(pod),
				Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName},
				Status:     corev1.PodStatus{Phase: pod.Status.Phase, Conditions: pod.Status.Conditions},
			}
		}),
	}
	cilium = &fields{
		paths: []string{
			"spec.nodeName", "spec.hostNetwork", "status.startTime", "status.conditions.type", "status.conditions.status",
			"-metadata.annotations", "-metadata.ownerReferences", "-metadata.finalizers",
		},
		cut: ofPods(func(pod *corev1.Pod) *corev1.Pod {
			return &corev1.Pod{
				ObjectMeta: essential(pod),
				Spec:       corev1.PodSpec{NodeName: pod.Spec.NodeName, HostNetwork: pod.Spec.HostNetwork},
				Status:     corev1.PodStatus{StartTime: pod.Status.StartTime, Conditions: pod.Status.Conditions},
			}
		}),
	}
	tekton = &fields{
		paths: []string{"spec", "status"},
		cut: ofPods(func(pod *corev1.Pod) *corev1.Pod {
			pod.ManagedFields = nil
			delete(pod.Annotations, corev1.LastAppliedConfigAnnotation)
			return pod
		}),
	}
	externalDNS = &fields{
		paths: []string{"spec", "status", "-status.conditions"},
		cut: func(obj any) (any, error) {
			if service, ok := obj.(*corev1.Service); ok {
				service.ManagedFields, service.Status.Conditions = nil, nil
				delete(service.Annotations, corev1.LastAppliedConfigAnnotation)
			}
			return obj, nil
		},
	}
)

// ofPods returns a transform of Pods.
func ofPods(cut func(*corev1.Pod) *corev1.Pod) theircache.TransformFunc {
	return func(obj any) (any, error) {
		if pod, ok := obj.(*corev1.Pod); ok {
			return cut(pod), nil
		}
		return obj, nil
	}
}

// essential returns the metadata that all of these transforms keep.
func essential(pod *corev1.Pod) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion, Labels: pod.Labels,
		Generation: pod.Generation, CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
	}
}

// services is the number of Services.
const services = 20_000

// projects are the caches of some projects. The Pods of all of them, whole and packed, are among the other works.
var projects = slices.Concat(
	project("KEDA, 100,000 Pods", many, form{fields: keda}, form{fields: keda, view: podView}),
	project("Cilium's operator, 100,000 Pods", many, form{fields: cilium}, form{fields: cilium, view: operatorView}),
	project("Tekton, 100,000 Pods", many, form{fields: tekton}),
	project("external-dns, 20,000 Services", services, form{services: true}, form{services: true, fields: externalDNS}, form{services: true, packed: true}),
)

func project(name string, objects int, forms ...form) (all []contest.Work) {
	for _, f := range forms {
		as := "whole"
		switch {
		case f.view != noView:
			as = "a view"
		case f.packed:
			as = "packed"
		case f.fields != nil:
			as = "its fields"
		}
		all = append(all, contest.Work{Name: name + ", " + as, Objects: objects, Rows: []contest.Row{contest.CPU, contest.LiveEach}, Start: overHTTP("/sync", f)})
	}
	return all
}
