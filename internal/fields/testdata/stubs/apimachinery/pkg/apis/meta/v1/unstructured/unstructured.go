// Package unstructured has the part of apimachinery that the cases use.
package unstructured

import "k8s.io/apimachinery/pkg/runtime"

type Unstructured struct{ Object map[string]any }

func (u *Unstructured) GetName() string                     { return "" }
func (u *Unstructured) GetNamespace() string                { return "" }
func (u *Unstructured) GetSelfLink() string                 { return "" }
func (u *Unstructured) DeepCopyObject() runtime.Object      { return u }
func (u *Unstructured) DeepCopy() *Unstructured             { return u }
func (u *Unstructured) GetObjectKind() runtime.ObjectKind   { return nil }
func (u *Unstructured) UnstructuredContent() map[string]any { return u.Object }

func NestedString(obj map[string]any, fields ...string) (string, bool, error) { return "", false, nil }
func NestedMap(obj map[string]any, fields ...string) (map[string]any, bool, error) {
	return nil, false, nil
}
