//go:build kube

package types_test

import (
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/internal/golden"
)

func TestServer(t *testing.T) {
	server := kube.StartTest(t).Config()
	config := &rest.Config{Host: server.Host, BearerToken: server.BearerToken, TLSClientConfig: rest.TLSClientConfig{CAData: server.CAData}}
	m := load(t)
	definitions, err := apiextensions.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	models := &resolver.ClientDiscoveryResolver{Discovery: clients.Discovery()}
	for _, d := range m.definitions {
		if _, err = definitions.ApiextensionsV1().CustomResourceDefinitions().Create(t.Context(), d, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		kind := schema.GroupVersionKind{Group: d.Spec.Group, Version: d.Spec.Versions[0].Name, Kind: d.Spec.Names.Kind}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			if _, err = models.ResolveSchema(kind); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s has no schema after a minute: %v", kind, err)
			}
		}
	}
	checker := &validating.TypeChecker{
		SchemaResolver: models,
		RestMapper:     restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(clients.Discovery())),
	}
	got, err := m.warnings(t.Context(), clients, func(p *admissionv1.ValidatingAdmissionPolicy) []admissionv1.ExpressionWarning {
		return checker.Check(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "testdata/warnings.txt", got)
}
