package openapi3_test

import (
	"errors"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/openapi/openapitest"
	"k8s.io/client-go/openapi3"
)

func TestRoot(t *testing.T) {
	failure := errors.New("unavailable")
	client := openapitest.NewFakeClient()
	for path, text := range map[string]string{
		"api/v1": `{"openapi":"3.0.0","info":{"title":"core"}}`, "apis/apps/v1": `{"openapi":"3.0.0","info":{"title":"apps"}}`,
		"apis/broken/v1": "no JSON", "version": "{}", "apis/apps": "{}", "api": "{}", "openid/v1": "{}",
	} {
		client.PathsMap[path] = &openapitest.FakeGroupVersion{GVSpec: []byte(text)}
	}
	client.PathsMap["apis/failing/v1"] = &openapitest.FakeGroupVersion{ForcedErr: failure}
	root := openapi3.NewRoot(client)
	gvs, err := root.GroupVersions()
	want := []schema.GroupVersion{{Group: "apps", Version: "v1"}, {Group: "broken", Version: "v1"}, {Group: "failing", Version: "v1"}, {Version: "v1"}}
	if err != nil || !reflect.DeepEqual(gvs, want) {
		t.Errorf("%v, %v", gvs, err)
	}
	notFound := (*openapi3.GroupVersionNotFoundError)(nil)
	for _, tt := range []struct {
		gv    schema.GroupVersion
		title string
		is    func(error) bool
	}{
		{schema.GroupVersion{Version: "v1"}, "core", nil},
		{schema.GroupVersion{Group: "apps", Version: "v1"}, "apps", nil},
		{schema.GroupVersion{Group: "apps", Version: "v2"}, "", func(err error) bool { return errors.As(err, &notFound) }},
		{schema.GroupVersion{Group: "broken", Version: "v1"}, "", func(err error) bool { return err != nil }},
		{schema.GroupVersion{Group: "failing", Version: "v1"}, "", func(err error) bool { return errors.Is(err, failure) }},
	} {
		document, err := root.GVSpec(tt.gv)
		asMap, mapErr := root.GVSpecAsMap(tt.gv)
		if tt.is != nil {
			if !tt.is(err) || !tt.is(mapErr) {
				t.Errorf("%s: errors %v and %v", tt.gv, err, mapErr)
			}
			continue
		}
		if err != nil || mapErr != nil {
			t.Fatalf("%s: errors %v and %v", tt.gv, err, mapErr)
		}
		if document.Info.Title != tt.title || asMap["info"].(map[string]any)["title"] != tt.title {
			t.Errorf("%s: %+v and %v", tt.gv, document.Info, asMap)
		}
	}
	client.ForcedErr = failure
	if _, err := root.GroupVersions(); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	if _, err := root.GVSpec(gvs[0]); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
}
