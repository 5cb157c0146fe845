// Package runtime has the part of apimachinery that the cases use.
package runtime

type ObjectKind interface{ GroupVersionKind() string }

type Object interface {
	GetObjectKind() ObjectKind
	DeepCopyObject() Object
}
