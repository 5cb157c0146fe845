// Package v1 has kinds in the form of k8s.io/api.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Pod struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PodSpec   `json:"spec,omitempty"`
	Status            PodStatus `json:"status,omitempty"`
}

type PodSpec struct {
	NodeName        string            `json:"nodeName,omitempty"`
	HostNetwork     bool              `json:"hostNetwork,omitempty"`
	Containers      []Container       `json:"containers"`
	Volumes         map[string]Volume `json:"volumes,omitempty"`
	SecurityContext *SecurityContext  `json:"securityContext,omitempty"`
	Priority        *int32            `json:"priority,omitempty"`
	NodeSelector    map[string]string `json:"nodeSelector,omitempty"`
}

type Container struct {
	Name  string   `json:"name"`
	Image string   `json:"image,omitempty"`
	Args  []string `json:"args,omitempty"`
	Env   []EnvVar `json:"env,omitempty"`
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

type Volume struct {
	Path string `json:"path"`
}

type SecurityContext struct {
	RunAsUser *int64 `json:"runAsUser,omitempty"`
}

type PodStatus struct {
	Phase      string         `json:"phase,omitempty"`
	PodIP      string         `json:"podIP,omitempty"`
	Conditions []PodCondition `json:"conditions,omitempty"`
}

type PodCondition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

type PodList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Pod `json:"items"`
}

func (o *PodList) DeepCopyObject() runtime.Object    { return o }
func (o *PodList) GetObjectKind() runtime.ObjectKind { return &o.TypeMeta }

type Node struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NodeSpec `json:"spec,omitempty"`
}

type NodeSpec struct {
	Unschedulable bool   `json:"unschedulable,omitempty"`
	ProviderID    string `json:"providerID,omitempty"`
}

func (o *Pod) DeepCopy() *Pod                    { out := *o; return &out }
func (o *Pod) DeepCopyInto(out *Pod)             { *out = *o }
func (o *Pod) DeepCopyObject() runtime.Object    { return o.DeepCopy() }
func (o *Pod) GetObjectKind() runtime.ObjectKind { return &o.TypeMeta }

func (o *Node) DeepCopy() *Node                   { out := *o; return &out }
func (o *Node) DeepCopyInto(out *Node)            { *out = *o }
func (o *Node) DeepCopyObject() runtime.Object    { return o.DeepCopy() }
func (o *Node) GetObjectKind() runtime.ObjectKind { return &o.TypeMeta }
