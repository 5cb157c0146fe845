// Package cache has the part of the runtime that the cases use.
package cache

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

func Keep(paths ...string) cache.TransformFunc { return nil }

// Options are options by type, in the form of informer factories and of controller-runtime.
type Options struct {
	ByObject map[runtime.Object]ByObject
}

type ByObject struct {
	Transform cache.TransformFunc
}

func New(options Options) {}
