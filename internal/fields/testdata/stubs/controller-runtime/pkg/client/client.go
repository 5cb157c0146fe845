// Package client has the part of controller-runtime that the cases use.
package client

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Object interface {
	metav1.Object
	runtime.Object
}

type ObjectList interface{ runtime.Object }

type Reader interface {
	Get(ctx context.Context, key string, obj Object) error
	List(ctx context.Context, list ObjectList) error
}

type Client interface {
	Reader
	Create(ctx context.Context, obj Object) error
	Update(ctx context.Context, obj Object) error
	Delete(ctx context.Context, obj Object) error
	Patch(ctx context.Context, obj Object, patch Patch) error
}

type Patch interface {
	Data(obj Object) ([]byte, error)
}

func MergeFrom(obj Object) Patch { return nil }

func ObjectKeyFromObject(obj Object) string { return obj.GetName() }
