package v1

import "k8s.io/apimachinery/pkg/runtime"

func (m Mint) copy() Mint {
	m.ObjectMeta = *m.ObjectMeta.DeepCopy()
	return m
}

// DeepCopyObject returns a copy that shares nothing.
func (m *Mint) DeepCopyObject() runtime.Object {
	out := m.copy()
	return &out
}

// DeepCopyObject returns a copy that shares nothing.
func (l *MintList) DeepCopyObject() runtime.Object {
	out := &MintList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for _, m := range l.Items {
		out.Items = append(out.Items, m.copy())
	}
	return out
}
