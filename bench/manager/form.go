package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/packed"
)

// form is how a cache has its objects.
type form int

const (
	whole form = iota
	// inPacks has our objects packed, and theirs whole.
	inPacks
	// cut has some fields of Pods: ours by Keep, theirs by a transform that is written by hand.
	cut
)

// constructor returns the function that makes caches of a contender.
func (f form) constructor(contender int) cache.NewCacheFunc {
	if contender == 0 {
		return cache.New
	}
	if f == inPacks {
		return controllerruntime.NewCacheWith(controllerruntime.Options{
			Packed: map[client.Object]ours.Compression{&corev1.Pod{}: packed.S2, &v1.Machine{}: packed.S2},
		})
	}
	return controllerruntime.NewCache
}

// newCache returns a cache of a contender.
func (f form) newCache(contender int, config *rest.Config, options cache.Options) (cache.Cache, error) {
	if f == cut {
		options.DefaultTransform = []theircache.TransformFunc{cutByHand, theircache.TransformFunc(ours.Keep(
			"spec.nodeName", "status.phase", "status.podIP", "-metadata.annotations",
		))}[contender]
	}
	return f.constructor(contender)(config, options)
}

// cutByHand keeps of Pods what the call of Keep does.
func cutByHand(obj any) (any, error) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return obj, nil
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion, Labels: pod.Labels,
			Generation: pod.Generation, CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			OwnerReferences: pod.OwnerReferences, Finalizers: pod.Finalizers,
		},
		Spec:   corev1.PodSpec{NodeName: pod.Spec.NodeName},
		Status: corev1.PodStatus{Phase: pod.Status.Phase, PodIP: pod.Status.PodIP},
	}, nil
}
