package controllerruntime

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ours "github.com/listwatch/listwatch/runtime/cache"
)

func selected(value string) labels.Selector { return labels.SelectorFromSet(labels.Set{"from": value}) }

// mapper knows the kinds of these tests.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	return m
}

// Settings of a kind come from, in this order: its namespace, the kind, the namespace's default, the default.
func TestScopes(t *testing.T) {
	short := time.Minute
	for _, test := range []struct {
		name string
		opts cache.Options
		want string // namespace, label selector, field selector, sync period of each
	}{
		{"nothing", cache.Options{}, "[]"},
		{"defaults", cache.Options{DefaultLabelSelector: selected("default"), SyncPeriod: &short}, "[from=default 1m]"},
		{
			"default namespaces",
			cache.Options{DefaultLabelSelector: selected("default"), DefaultNamespaces: map[string]cache.Config{"sea": {}, "bay": {LabelSelector: selected("bay")}}},
			"[bay from=bay] [sea from=default]",
		},
		{
			"the kind before defaults of namespaces only if they set nothing",
			cache.Options{
				DefaultLabelSelector: selected("default"),
				DefaultNamespaces:    map[string]cache.Config{"bay": {LabelSelector: selected("bay")}, "sea": {}},
				ByObject:             map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Label: selected("kind")}},
			},
			"[bay from=bay] [sea from=kind]",
		},
		{
			"own namespaces",
			cache.Options{
				DefaultNamespaces: map[string]cache.Config{"bay": {LabelSelector: selected("bay"), SyncPeriod: &short}},
				ByObject: map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {
					Label: selected("kind"), Namespaces: map[string]cache.Config{"bay": {}, "lake": {LabelSelector: selected("lake")}},
				}},
			},
			"[bay from=kind 1m] [lake from=lake]",
		},
		{
			"no namespaces in place of the defaults",
			cache.Options{
				DefaultNamespaces: map[string]cache.Config{"bay": {}},
				ByObject:          map[client.Object]cache.ByObject{&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{}}},
			},
			"[]",
		},
		{
			"all others",
			cache.Options{DefaultFieldSelector: fields.OneTermEqualSelector("a", "b"), DefaultNamespaces: map[string]cache.Config{"": {}, "sea": {}, "bay": {}}},
			"[metadata.namespace!=bay,metadata.namespace!=sea,a=b except bay,sea] [bay a=b] [sea a=b]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.opts.Scheme, test.opts.Mapper = scheme.Scheme, mapper()
			s, err := newSettings(test.opts)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, one := range s.scopes(corev1.SchemeGroupVersion.WithKind("ConfigMap"), true) {
				labels, fields := one.selectors()
				text := strings.Join(strings.Fields(one.namespace+" "+labels+" "+fields), " ")
				if len(one.except) > 0 {
					text += " except " + strings.Join(one.except, ",")
				}
				if one.SyncPeriod != nil {
					text += fmt.Sprintf(" %vm", one.SyncPeriod.Minutes())
				}
				got = append(got, "["+strings.TrimSpace(text)+"]")
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), test.want)
			}
			if others := s.scopes(corev1.SchemeGroupVersion.WithKind("Node"), false); len(others) != 1 || others[0].namespace != "" {
				t.Errorf("a kind without namespaces has %v", others)
			}
		})
	}
}

func TestInvalidOptions(t *testing.T) {
	for _, test := range []struct {
		name string
		obj  client.Object
		own  cache.ByObject
		want string
	}{
		{"namespaces of a kind that has none", &corev1.Node{}, cache.ByObject{Namespaces: map[string]cache.Config{}}, "is not namespaced"},
		{"unknown to the mapper", &corev1.Secret{}, cache.ByObject{}, "failed to determine if *v1.Secret is namespaced"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewCache(&rest.Config{}, cache.Options{Mapper: mapper(), ByObject: map[client.Object]cache.ByObject{test.obj: test.own}})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestSyncPeriod(t *testing.T) {
	none, minute := time.Duration(0), time.Minute
	for _, test := range []struct {
		name string
		own  *time.Duration
		want time.Duration
	}{
		{"the default", nil, defaultSyncPeriod},
		{"none", &none, 0},
		{"its own", &minute, minute},
	} {
		one := scope{Config: cache.Config{SyncPeriod: test.own}}
		if got := one.syncPeriod(); got < test.want*9/10 || got > test.want*11/10 {
			t.Errorf("%s: %v, want about %v", test.name, got, test.want)
		}
	}
}

func TestRequestedNamespace(t *testing.T) {
	for _, test := range []struct {
		scope scope
		want  string
	}{
		{scope{}, ""},
		{scope{namespace: "bay"}, "bay"},
		{scope{Config: cache.Config{FieldSelector: fields.OneTermEqualSelector("metadata.namespace", "sea")}}, "sea"},
		{scope{Config: cache.Config{FieldSelector: fields.OneTermNotEqualSelector("metadata.namespace", "sea")}}, ""},
	} {
		if got := test.scope.requested(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Managed fields are not decoded if controller-runtime's function would remove them.
func TestTransformStripManagedFields(t *testing.T) {
	own := key{gvk: corev1.SchemeGroupVersion.WithKind("ConfigMap")}
	got := transform(cache.TransformStripManagedFields(), own)
	if reflect.ValueOf(got).Pointer() != reflect.ValueOf(ours.DropManagedFields).Pointer() {
		t.Error("not recognized")
	}
	other := func(obj any) (any, error) { return obj, nil }
	if got := transform(other, own); reflect.ValueOf(got).Pointer() != reflect.ValueOf(other).Pointer() {
		t.Error("another function is replaced")
	}
	if transform(nil, own) != nil {
		t.Error("a transform where there was none")
	}
	partial := transform(cache.TransformStripManagedFields(), key{own.gvk, partialMeta})
	obj, err := partial(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{{}}}})
	if err != nil {
		t.Fatal(err)
	}
	if m := obj.(*metav1.PartialObjectMetadata); m.ManagedFields != nil || m.Kind != "ConfigMap" {
		t.Errorf("got %v", m)
	}
}
