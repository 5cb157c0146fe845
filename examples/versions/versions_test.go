package main

import (
	"crypto/tls"
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/runtime/dynamic"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	backupv1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1"
	backupv1beta1 "github.com/listwatch/listwatch/examples/versions/apis/backup/v1beta1"
	"github.com/listwatch/listwatch/examples/versions/generated/clientset/versioned"
)

// definition returns the CRD as kustomize builds it: the generated one with the patch.
func definition(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	for _, name := range []string{"config/crd/bases/backup.example.com_backups.yaml", "config/crd/conversion.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(text, crd); err != nil { // leaves fields that the text does not have
			t.Fatal(err)
		}
	}
	return crd
}

// serveWebhooks serves the webhooks, and returns the option that has the API server call them.
func serveWebhooks(t *testing.T) apitest.Option {
	t.Helper()
	certificate, err := apitest.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := certificate.TLS()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(webhooks())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return apitest.WithWebhooks(server.URL, certificate.CA)
}

// TestConversion writes in one version and reads in the other.
func TestConversion(t *testing.T) {
	server := apitest.Start(t, apitest.WithCRDObjects(definition(t)), serveWebhooks(t))
	clients := versioned.NewForConfigOrDie(server.Config())
	older, newer := clients.BackupV1beta1().Backups("default"), clients.BackupV1().Backups("default")

	week := &backupv1beta1.Backup{
		ObjectMeta: metav1.ObjectMeta{Name: "orders"},
		Spec:       backupv1beta1.BackupSpec{Database: "orders", KeepDays: 7},
	}
	if _, err := older.Create(t.Context(), week, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := newer.Get(t.Context(), "orders", metav1.GetOptions{})
	if err != nil || got.Spec.Keep.Duration != 7*day {
		t.Fatalf("in v1: got %+v, error %v, want 7 days", got, err)
	}

	// v1 allows hours. A client of v1beta1 that writes something else must not lose them.
	got.Spec.Keep.Duration = 36 * time.Hour
	if _, err = newer.Update(t.Context(), got, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	old, err := older.Get(t.Context(), "orders", metav1.GetOptions{})
	if err != nil || old.Spec.KeepDays != 1 {
		t.Fatalf("in v1beta1: got %+v, error %v, want 1 day", old, err)
	}
	old.Spec.Database = "archive"
	if old, err = older.Update(t.Context(), old, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err = newer.Get(t.Context(), "orders", metav1.GetOptions{}); err != nil || got.Spec.Keep.Duration != 36*time.Hour || got.Spec.Database != "archive" {
		t.Errorf("in v1: got %+v, error %v, want 36 hours of archive", got, err)
	}

	old.Spec.KeepDays = 2
	if _, err = older.Update(t.Context(), old, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err = newer.Get(t.Context(), "orders", metav1.GetOptions{}); err != nil || got.Spec.Keep.Duration != 2*day || len(got.Annotations) > 0 {
		t.Errorf("in v1: got %+v, error %v, want 2 days", got, err)
	}
}

// TestStorageVersion makes v1 the storage version while an object is stored in v1beta1.
func TestStorageVersion(t *testing.T) {
	after := definition(t)
	before := after.DeepCopy()
	for i, version := range before.Spec.Versions {
		before.Spec.Versions[i].Storage = version.Name == "v1beta1"
	}
	server := apitest.Start(t, apitest.WithCRDObjects(before), serveWebhooks(t))
	backups := versioned.NewForConfigOrDie(server.Config()).BackupV1().Backups("default")
	backup := &backupv1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "orders"}, Spec: backupv1.BackupSpec{Database: "orders", Keep: metav1.Duration{Duration: 36 * time.Hour}}}
	if _, err := backups.Create(t.Context(), backup, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	var patch []string
	for i, version := range after.Spec.Versions {
		patch = append(patch, fmt.Sprintf(`{"op": "replace", "path": "/spec/versions/%d/storage", "value": %t}`, i, version.Storage))
	}
	crds := dynamic.NewForConfigOrDie(server.Config()).Resource(apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"))
	crd, err := crds.Patch(t.Context(), after.Name, types.JSONPatchType, []byte("["+strings.Join(patch, ",")+"]"), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	stored, _, err := unstructured.NestedStringSlice(crd.Object, "status", "storedVersions")
	if want := []string{"v1beta1", "v1"}; err != nil || !slices.Equal(stored, want) {
		t.Errorf("objects are stored in %v, error %v, want %v", stored, err, want)
	}
	got, err := backups.Get(t.Context(), "orders", metav1.GetOptions{})
	if err != nil || got.Spec.Keep.Duration != 36*time.Hour {
		t.Errorf("got %+v, error %v, want 36 hours", got, err)
	}
}

// TestRoundTrip converts objects of v1 to v1beta1 and back.
func TestRoundTrip(t *testing.T) {
	for _, keep := range []time.Duration{0, time.Hour, day, 36 * time.Hour, 7 * day, 7*day + time.Second} {
		in := &backupv1.Backup{Spec: backupv1.BackupSpec{Database: "orders", Keep: metav1.Duration{Duration: keep}}}
		if got := toV1(toV1beta1(in)).Spec; got != in.Spec {
			t.Errorf("%v: got %+v, want %+v", keep, got, in.Spec)
		}
	}
}

// TestUnknown requests a version that the webhook does not know: the user of the API gets the reason.
func TestUnknown(t *testing.T) {
	crd := definition(t)
	future := *crd.Spec.Versions[0].DeepCopy()
	future.Name, future.Storage = "v2", false
	crd.Spec.Versions = append(crd.Spec.Versions, future)
	server := apitest.Start(t, apitest.WithCRDObjects(crd), serveWebhooks(t))
	client := versioned.NewForConfigOrDie(server.Config()).BackupV1()
	backup := &backupv1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "orders"}, Spec: backupv1.BackupSpec{Database: "orders"}}
	if _, err := client.Backups("default").Create(t.Context(), backup, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	err := client.RESTClient().Get().AbsPath("/apis/backup.example.com/v2/namespaces/default/backups/orders").Do(t.Context()).Error()
	if err == nil || !strings.Contains(err.Error(), "no conversion of backup.example.com/v1 Backup to backup.example.com/v2") {
		t.Errorf("got error %v", err)
	}
}
