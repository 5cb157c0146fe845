package controllerruntime_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	builtin "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// page and port are kinds of CustomResourceDefinitions, the former in namespaces.
type page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              pageSpec `json:"spec"`
}

type port page

type pageSpec struct {
	Color string            `json:"color,omitempty"`
	Lines []string          `json:"lines,omitempty"`
	Extra map[string]string `json:"extra,omitempty"`
}

type pageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []page `json:"items"`
}

type portList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []port `json:"items"`
}

func (p *page) copy() *page {
	out := *p
	p.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Lines, out.Spec.Extra = slices.Clone(p.Spec.Lines), maps.Clone(p.Spec.Extra)
	return &out
}

func (p *page) DeepCopyObject() runtime.Object { return p.copy() }
func (p *port) DeepCopyObject() runtime.Object { return (*port)((*page)(p).copy()) }

func (l *pageList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].copy())
	}
	return &out
}

func (l *portList) DeepCopyObject() runtime.Object {
	out := *l
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, port(*(*page)(&l.Items[i]).copy()))
	}
	return &out
}

var web = schema.GroupVersion{Group: "web.example.com", Version: "v1"}

// scriptScheme returns Kubernetes' kinds and those of the CustomResourceDefinitions.
var scriptScheme = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := builtin.AddToScheme(s); err != nil {
		panic(err)
	}
	s.AddKnownTypeWithName(web.WithKind("Page"), &page{})
	s.AddKnownTypeWithName(web.WithKind("PageList"), &pageList{})
	s.AddKnownTypeWithName(web.WithKind("Port"), &port{})
	s.AddKnownTypeWithName(web.WithKind("PortList"), &portList{})
	metav1.AddToGroupVersion(s, web)
	return s
})

// kind is what scripts know of a kind.
type kind struct {
	schema.GroupVersionKind
	resource   string
	namespaced bool
	custom     bool
	example    client.Object
	list       client.ObjectList
	fields     []string // selectors that the server supports, besides those of names
}

var kinds = []*kind{
	{GroupVersionKind: corev1.SchemeGroupVersion.WithKind("ConfigMap"), resource: "configmaps", namespaced: true, example: &corev1.ConfigMap{}, list: &corev1.ConfigMapList{}},
	{
		GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Pod"), resource: "pods", namespaced: true, example: &corev1.Pod{}, list: &corev1.PodList{},
		fields: []string{"spec.nodeName=n1", "spec.nodeName!=n1", "spec.nodeName=n1,metadata.name!=a", "status.phase=Pending"},
	},
	{
		GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Node"), resource: "nodes", example: &corev1.Node{}, list: &corev1.NodeList{},
		fields: []string{"spec.unschedulable=true", "spec.unschedulable=false"},
	},
	{GroupVersionKind: web.WithKind("Page"), resource: "pages", namespaced: true, custom: true, example: &page{}, list: &pageList{}, fields: []string{"spec.color=red", "spec.color!=red"}},
	{GroupVersionKind: web.WithKind("Port"), resource: "ports", custom: true, example: &port{}, list: &portList{}, fields: []string{"spec.color=red"}},
}

func (k *kind) String() string { return k.Kind }

// object returns an empty object in a form.
func (k *kind) object(form string) client.Object {
	return emptyObject(form, k.GroupVersionKind, k.example)
}

// objects returns an empty list in a form.
func (k *kind) objects(form string) client.ObjectList {
	var out client.ObjectList
	switch form {
	case "unstructured":
		out = &unstructured.UnstructuredList{}
	case "metadata":
		out = &metav1.PartialObjectMetadataList{}
	default:
		return k.list.DeepCopyObject().(client.ObjectList)
	}
	out.GetObjectKind().SetGroupVersionKind(k.GroupVersion().WithKind(k.Kind + "List"))
	return out
}

// fill gives an object a random state. Only new pods get what cannot be changed later.
func (k *kind) fill(obj *unstructured.Unstructured, isNew bool, d draw) {
	labels := map[string]any{}
	if color := pick1(d, []string{"red", "blue", ""}); color != "" {
		labels["color"] = color
	}
	if tier := pick1(d, []string{"1", "2", ""}); tier != "" {
		labels["tier"] = tier
	}
	set := func(value any, fields ...string) {
		if err := unstructured.SetNestedField(obj.Object, value, fields...); err != nil {
			panic(err)
		}
	}
	set(labels, "metadata", "labels")
	set(map[string]any{"state": fmt.Sprint(d.IntN(1_000_000))}, "metadata", "annotations")
	switch k.Kind {
	case "ConfigMap":
		set(map[string]any{"key": fmt.Sprint(d.IntN(10)), "text": strings.Repeat("x", d.IntN(100))}, "data")
	case "Pod":
		if isNew {
			set([]any{map[string]any{"name": "c", "image": "i", "resources": map[string]any{
				"requests": map[string]any{"cpu": "100m", "memory": "1Gi"},
			}}}, "spec", "containers")
			if node := pick1(d, []string{"n1", "n2", ""}); node != "" {
				set(node, "spec", "nodeName")
			}
		}
	case "Node":
		set(d.IntN(2) == 0, "spec", "unschedulable")
	default:
		set(map[string]any{"lines": []any{"a", fmt.Sprint(d.IntN(10))}, "extra": map[string]any{"k": "v"}}, "spec")
		if color := pick1(d, []string{"red", "blue", ""}); color != "" {
			set(color, "spec", "color")
		}
	}
}

// definition returns the CustomResourceDefinition of a kind.
func (k *kind) definition() *apiextensions.CustomResourceDefinition {
	preserve := true
	scope := apiextensions.ClusterScoped
	if k.namespaced {
		scope = apiextensions.NamespaceScoped
	}
	crd := &apiextensions.CustomResourceDefinition{
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: k.Group, Scope: scope,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: k.resource, Singular: strings.ToLower(k.Kind), Kind: k.Kind, ListKind: k.Kind + "List"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: k.Version, Served: true, Storage: true,
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
					Type: "object",
					Properties: map[string]apiextensions.JSONSchemaProps{"spec": {
						Type: "object", XPreserveUnknownFields: &preserve,
						Properties: map[string]apiextensions.JSONSchemaProps{"color": {Type: "string"}},
					}},
				}},
				SelectableFields: []apiextensions.SelectableField{{JSONPath: ".spec.color"}},
			}},
		},
	}
	crd.Name = k.resource + "." + k.Group
	return crd
}
