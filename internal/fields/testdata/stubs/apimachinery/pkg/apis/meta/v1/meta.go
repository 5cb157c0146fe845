// Package v1 has the part of apimachinery that the cases use.
package v1

import "time"

type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

type Time struct{ time.Time }

func (t *Time) UnmarshalJSON(b []byte) error { return nil }

type ObjectMeta struct {
	Name              string            `json:"name,omitempty"`
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	DeletionTimestamp *Time             `json:"deletionTimestamp,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"`
	SelfLink          string            `json:"selfLink,omitempty"`
}

type OwnerReference struct {
	Name string `json:"name"`
	UID  string `json:"uid"`
}

type ListMeta struct {
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

type Object interface {
	GetName() string
	GetNamespace() string
	GetLabels() map[string]string
	GetSelfLink() string
	GetOwnerReferences() []OwnerReference
}

func (m *ObjectMeta) GetName() string                      { return m.Name }
func (m *ObjectMeta) GetNamespace() string                 { return m.Namespace }
func (m *ObjectMeta) GetLabels() map[string]string         { return m.Labels }
func (m *ObjectMeta) GetSelfLink() string                  { return m.SelfLink }
func (m *ObjectMeta) GetOwnerReferences() []OwnerReference { return m.OwnerReferences }
func (m *ObjectMeta) SetLabels(labels map[string]string)   { m.Labels = labels }
func (m *ObjectMeta) GetObjectMeta() Object                { return m }
func (m *TypeMeta) GroupVersionKind() string               { return m.Kind }

type GetOptions struct{}
type ListOptions struct{}
type UpdateOptions struct{}
