package v1_test

import (
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	openapiv2 "github.com/google/gnostic-models/openapiv2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	v1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/discovery"
)

// document is that of a server with one kind, whose list has keys.
const document = `{"swagger":"2.0","info":{"title":"t","version":"v1"},"paths":{},"definitions":{"Gadget":{
	"type":"object",
	"properties":{
		"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"},
		"spec":{"type":"object","properties":{
			"size":{"type":"integer"},"color":{"type":"string"},
			"parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{
				"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}}}}}},
		"status":{"type":"object","properties":{"ready":{"type":"boolean"}}}},
	"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Gadget"}]}}}`

// server returns a document, and counts the requests.
type server struct {
	discovery.DiscoveryInterface
	requests int
	err      error
}

func (s *server) OpenAPISchema() (*openapiv2.Document, error) {
	s.requests++
	if s.err != nil {
		return nil, s.err
	}
	return openapiv2.ParseDocument([]byte(document))
}

func gadget() *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Gadget",
		"metadata": map[string]any{"name": "a", "namespace": "n", "uid": "u"},
		"spec": map[string]any{
			"size": int64(3), "color": "red",
			"parts": []any{map[string]any{"name": "x", "count": int64(1)}, map[string]any{"name": "y", "count": int64(2)}},
		},
		"status": map[string]any{"ready": true},
	}}
	entry := func(manager, subresource, fields string) metav1.ManagedFieldsEntry {
		fieldsV1 := &metav1.FieldsV1{}
		if err := fieldsV1.UnmarshalJSON([]byte(fields)); err != nil {
			panic(err)
		}
		return metav1.ManagedFieldsEntry{
			Manager: manager, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "example.com/v1",
			FieldsType: "FieldsV1", FieldsV1: fieldsV1, Subresource: subresource,
		}
	}
	object.SetManagedFields([]metav1.ManagedFieldsEntry{
		entry("me", "", `{"f:spec":{"f:size":{},"f:parts":{"k:{\"name\":\"y\"}":{".":{},"f:name":{},"f:count":{}}}}}`),
		entry("me", "status", `{"f:status":{"f:ready":{}}}`),
		entry("other", "", `{"f:spec":{"f:color":{}}}`),
	})
	return object
}

func TestUnstructuredExtractor(t *testing.T) {
	e, err := v1.NewUnstructuredExtractor(&server{})
	if err != nil {
		t.Fatal(err)
	}
	identity := map[string]any{"name": "a", "namespace": "n"}
	for _, tt := range []struct {
		name    string
		extract func(*unstructured.Unstructured, string) (*unstructured.Unstructured, error)
		manager string
		want    map[string]any
	}{
		{"own fields", e.Extract, "me", map[string]any{"spec": map[string]any{
			"size": int64(3), "parts": []any{map[string]any{"name": "y", "count": int64(2)}},
		}}},
		{"another manager's", e.Extract, "other", map[string]any{"spec": map[string]any{"color": "red"}}},
		{"status", e.ExtractStatus, "me", map[string]any{"status": map[string]any{"ready": true}}},
		{"nothing", e.Extract, "nobody", map[string]any{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.extract(gadget(), tt.manager)
			if err != nil {
				t.Fatal(err)
			}
			tt.want["apiVersion"], tt.want["kind"], tt.want["metadata"] = "example.com/v1", "Gadget", identity
			if !reflect.DeepEqual(got.Object, tt.want) {
				t.Errorf("extracted %v, want %v", got.Object, tt.want)
			}
		})
	}
	unknown := gadget()
	unknown.SetKind("Other")
	if got, err := e.Extract(unknown, "me"); err == nil {
		t.Errorf("extracted %v of an unknown kind", got)
	}
}

func TestUnstructuredExtractorModels(t *testing.T) {
	failure := errors.New("unavailable")
	if _, err := v1.NewUnstructuredExtractor(&server{err: failure}); !errors.Is(err, failure) {
		t.Errorf("error is %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		e, err := v1.NewUnstructuredExtractor(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			after    time.Duration
			err      error
			requests int
		}{
			{0, nil, 1},
			{time.Minute, nil, 1},
			{time.Second, nil, 2},
			{2 * time.Minute, failure, 3},
			{time.Second, nil, 3}, // the models from before
		} {
			time.Sleep(step.after)
			s.err = step.err
			if _, err := e.Extract(gadget(), "me"); !errors.Is(err, step.err) {
				t.Errorf("error is %v, want %v", err, step.err)
			}
			if s.requests != step.requests {
				t.Errorf("%d requests, want %d", s.requests, step.requests)
			}
		}
	})
}
