package builtin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
)

const gadgetsPath = "/apis/shop.example.com/v2/namespaces/a/gadgets"

func TestOwnKindHasStatusAndGeneration(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(false)})
	a := s.must("POST", gadgetsPath, "{metadata: {name: one}, spec: {width: 1}, status: {ready: true}}")
	if got := a.at("metadata", "generation"); got != 1.0 {
		t.Errorf("generation of a new object = %v, want 1", got)
	}
	if got := a.at("status", "ready"); got != nil {
		t.Errorf("a create has set status.ready = %v", got)
	}
	a = s.must("PATCH", gadgetsPath+"/one/status", "{metadata: {labels: {a: b}}, spec: {width: 9}, status: {ready: true}}", mergePatch)
	if got := a.at("status", "ready"); got != true {
		t.Errorf("status.ready = %v after a write of the status", got)
	}
	if got := a.at("spec", "width"); got != 1.0 {
		t.Errorf("a write of the status has set spec.width = %v", got)
	}
	if got := a.at("metadata", "labels"); got != nil {
		t.Errorf("a write of the status has set labels %v", got)
	}
	if got := a.at("metadata", "generation"); got != 1.0 {
		t.Errorf("a write of the status made the generation %v", got)
	}
	a = s.must("PATCH", gadgetsPath+"/one", "{spec: {width: 2}, status: {ready: false}}", mergePatch)
	if got := a.at("metadata", "generation"); got != 2.0 {
		t.Errorf("generation after a write of the spec = %v, want 2", got)
	}
	if got := a.at("status", "ready"); got != true {
		t.Errorf("a write of the object has set status.ready = %v", got)
	}
}

func TestOwnKindIsApplied(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(false)})
	apply := func(manager, colors string) answer {
		return s.do("PATCH", gadgetsPath+"/one?fieldManager="+manager,
			"{apiVersion: shop.example.com/v2, kind: Gadget, metadata: {name: one}, spec: {colors: {"+colors+"}}}", applyPatch)
	}
	if a := apply("first", "door: red"); a.code != http.StatusCreated {
		t.Fatalf("first apply: %d %s", a.code, a.raw)
	}
	if a := apply("second", "roof: blue"); a.code != http.StatusOK {
		t.Fatalf("apply of another field: %d %s", a.code, a.raw)
	}
	if a := apply("second", "door: blue"); a.code != http.StatusConflict || !strings.Contains(a.message(), `conflict with "first": .spec.colors.door`) {
		t.Fatalf("apply of another's field: %d %s", a.code, a.raw)
	}
	a := s.must("GET", gadgetsPath+"/one", "")
	if diff := cmp.Diff(map[string]any{"door": "red", "roof": "blue"}, a.at("spec", "colors")); diff != "" {
		t.Error(diff)
	}
}

func TestVersionsThatConvertAreOneResource(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(true)})
	old := strings.Replace(gadgetsPath, "v2", "v1", 1)
	s.must("POST", old, "{metadata: {name: one}, spec: {size: 3}}")
	if got := s.must("GET", gadgetsPath+"/one", "").at("spec", "width"); got != 3.0 {
		t.Errorf("width in v2 = %v, want the size 3 of v1", got)
	}
	s.must("PATCH", gadgetsPath+"/one", "{spec: {width: 4}}", mergePatch)
	a := s.must("GET", old, "")
	items, _ := a.at("items").([]any)
	if len(items) != 1 {
		t.Fatalf("list in v1: %s", a.raw)
	}
	if got := (answer{object: items[0].(map[string]any)}).at("spec", "size"); got != 4.0 {
		t.Errorf("size in v1 = %v, want the width 4 of v2", got)
	}
}

func TestVersionsThatDoNotConvertStandForThemselves(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(false)})
	s.must("POST", strings.Replace(gadgetsPath, "v2", "v1", 1), "{metadata: {name: one}, spec: {size: 3}}")
	if a := s.do("GET", gadgetsPath+"/one", ""); a.code != http.StatusNotFound {
		t.Errorf("an object of v1 in v2: %d %s", a.code, a.raw)
	}
	s.must("POST", gadgetsPath, "{metadata: {name: one}, spec: {width: 3}}")
}

func TestResourceSaysHowAKindIsServed(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(false), Resources: []builtin.Resource{{
		Kind: gadgetsV2.WithKind("Gadget"), Plural: "gadgetry", ClusterScoped: true, NoStatus: true,
	}}})
	s.must("POST", "/apis/shop.example.com/v2/gadgetry", "{metadata: {name: one}, status: {ready: true}}")
	a := s.must("GET", "/apis/shop.example.com/v2/gadgetry/one", "")
	if got := a.at("status", "ready"); got != true {
		t.Errorf("status.ready = %v of a kind without a status subresource", got)
	}
	for _, path := range []string{"/apis/shop.example.com/v2/gadgets", "/apis/shop.example.com/v2/gadgetry/one/status"} {
		if a := s.do("GET", path, ""); a.code != http.StatusNotFound {
			t.Errorf("GET %s: %d %s", path, a.code, a.raw)
		}
	}
}

func TestNewRefusesKindsThatTheSchemeLacks(t *testing.T) {
	_, err := builtin.New(builtin.Options{
		Backend: store.NewBackend(store.Options{}), Scheme: runtime.NewScheme(),
		Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
		Resources:  []builtin.Resource{{Kind: gadgetsV1.WithKind("Gadget")}},
	})
	if err == nil || !strings.Contains(err.Error(), "the scheme has no such kind") {
		t.Errorf("error = %v", err)
	}
}

func TestGroupsNamesOwnKinds(t *testing.T) {
	resources, err := builtin.New(builtin.Options{
		Backend: store.NewBackend(store.Options{}), Scheme: gadgets(false),
		Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range resources.Groups() {
		for _, v := range g.Versions {
			for _, r := range v.Resources {
				got = append(got, g.Name+"/"+v.Version+"/"+r.Resource+" "+string(r.Scope))
			}
		}
	}
	want := []string{"shop.example.com/v2/gadgets Namespaced", "shop.example.com/v1/gadgets Namespaced"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestItemsOfAListDoNotNameTheirKind(t *testing.T) {
	s := serve(t, builtin.Options{Scheme: gadgets(false)})
	s.must("POST", gadgetsPath, "{apiVersion: shop.example.com/v2, kind: Gadget, metadata: {name: one}}")
	a := s.must("GET", gadgetsPath, "")
	items, _ := a.at("items").([]any)
	if len(items) != 1 || (answer{object: items[0].(map[string]any)}).at("kind") != nil {
		t.Errorf("list: %s", a.raw)
	}
}

func TestTextOfASecretBecomesData(t *testing.T) {
	s := serve(t, builtin.Options{})
	a := s.must("POST", "/api/v1/namespaces/default/secrets", "{metadata: {name: one}, data: {a: YQ==}, stringData: {b: b}}")
	if diff := cmp.Diff(map[string]any{"a": "YQ==", "b": "Yg=="}, a.at("data")); diff != "" || a.at("stringData") != nil {
		t.Errorf("%s in %s", diff, a.raw)
	}
}
