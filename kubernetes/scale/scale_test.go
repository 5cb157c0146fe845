package scale_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/scale"
	"github.com/listwatch/listwatch/kubernetes/scale/fake"
	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/restmapper"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

// bodies are the documents of a server: discovery, and a scale of each version. A resource is named for its
// version.
var bodies = map[string]string{
	"/api":  `{"versions":["v1"]}`,
	"/apis": `{"groups":[{"name":"apps","versions":[{"groupVersion":"apps/v1","version":"v1"}],"preferredVersion":{"groupVersion":"apps/v1","version":"v1"}}]}`,
	"/api/v1": `{"groupVersion":"v1","resources":[
		{"name":"cores","kind":"Core","namespaced":true},{"name":"cores/scale","kind":"Scale","group":"autoscaling","version":"v1"},
		{"name":"unscaled","kind":"Unscaled","namespaced":true}]}`,
	"/apis/apps/v1": `{"groupVersion":"apps/v1","resources":[
		{"name":"extensions","kind":"Extension"},{"name":"extensions/scale","kind":"Scale","group":"extensions","version":"v1beta1"},
		{"name":"firsts","kind":"First"},{"name":"firsts/scale","kind":"Scale","group":"apps","version":"v1beta1"},
		{"name":"seconds","kind":"Second"},{"name":"seconds/scale","kind":"Scale","group":"apps","version":"v1beta2"},
		{"name":"others","kind":"Other"},{"name":"others/scale","kind":"Scale","group":"other.dev","version":"v1"},
		{"name":"owns","kind":"Own"},{"name":"owns/scale","kind":"Scale"},
		{"name":"strange","kind":"Strange"},{"name":"broken","kind":"Broken"}]}`,
	"/api/v1/namespaces/n/cores/a/scale": `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":2,"selector":"a=b"}}`,
	"/apis/apps/v1/extensions/a/scale":   `{"kind":"Scale","apiVersion":"extensions/v1beta1","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":2,"selector":{"a":"b"}}}`,
	"/apis/apps/v1/firsts/a/scale":       `{"kind":"Scale","apiVersion":"apps/v1beta1","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":2,"selector":{"x":"y"},"targetSelector":"a=b"}}`,
	"/apis/apps/v1/seconds/a/scale":      `{"kind":"Scale","apiVersion":"apps/v1beta2","metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":2,"targetSelector":"c in (d,e)"}}`,
	"/apis/apps/v1/others/a/scale":       `{"kind":"Scale","apiVersion":"other.dev/v1"}`,
	"/apis/apps/v1/strange/a/scale":      `{"kind":"Status","apiVersion":"v1"}`,
	"/apis/apps/v1/broken/a/scale":       `{"kind":"Scale","apiVersion":"apps/v1beta1","status":{"targetSelector":"=="}}`,
}

// server answers from bodies, and notes what was sent.
type server struct {
	mu                             sync.Mutex // guards the fields below: discovery sends requests in parallel
	method, uri, contentType, body string
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.method, s.uri, s.contentType, s.body = req.Method, req.URL.RequestURI(), req.Header.Get("Content-Type"), ""
	if req.Body != nil {
		content, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		s.body = string(content)
	}
	body, ok := bodies[req.URL.Path]
	if !ok {
		resp.StatusCode = http.StatusNotFound
		body = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"no such thing"}`
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

func newScales(t *testing.T) (*server, scale.ScalesGetter) {
	t.Helper()
	s := &server{}
	config := &rest.Config{Host: "http://server.test", Transport: s}
	d, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := restmapper.GetAPIGroupResources(d)
	if err != nil {
		t.Fatal(err)
	}
	client, err := scale.NewForConfig(config, restmapper.NewDiscoveryRESTMapper(groups), dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(d))
	if err != nil {
		t.Fatal(err)
	}
	if config.GroupVersion != nil || config.NegotiatedSerializer != nil {
		t.Error("the config was modified")
	}
	return s, client
}

func want(selector string) *autoscalingv1.Scale {
	return &autoscalingv1.Scale{
		TypeMeta:   metav1.TypeMeta{Kind: "Scale", APIVersion: "autoscaling/v1"},
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
		Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: selector},
	}
}

func TestScales(t *testing.T) {
	for _, tt := range []struct {
		resource, namespace, uri, selector string
		apiVersion, status                 string // of what an update sends
	}{
		{"cores", "n", "/api/v1/namespaces/n/cores/a/scale", "a=b", "autoscaling/v1", `{"replicas":2,"selector":"a=b"}`},
		{"extensions", "", "/apis/apps/v1/extensions/a/scale", "a=b", "extensions/v1beta1", `{"replicas":2,"selector":{"a":"b"},"targetSelector":"a=b"}`},
		{"firsts", "", "/apis/apps/v1/firsts/a/scale", "a=b", "apps/v1beta1", `{"replicas":2,"selector":{"a":"b"},"targetSelector":"a=b"}`},
		{"seconds", "", "/apis/apps/v1/seconds/a/scale", "c in (d,e)", "apps/v1beta2", `{"replicas":2,"targetSelector":"c in (d,e)"}`},
	} {
		t.Run(tt.resource, func(t *testing.T) {
			s, client := newScales(t)
			scales, resource := client.Scales(tt.namespace), schema.GroupResource{Resource: tt.resource}
			got, err := scales.Get(t.Context(), resource, "a", metav1.GetOptions{ResourceVersion: "7"})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want(tt.selector), got); d != "" {
				t.Errorf("get (-want +got):\n%s", d)
			}
			if want := tt.uri + "?resourceVersion=7"; s.method != http.MethodGet || s.uri != want {
				t.Errorf("get requested %s %s", s.method, s.uri)
			}
			updated, err := scales.Update(t.Context(), resource, got, metav1.UpdateOptions{DryRun: []string{"All"}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want(tt.selector), updated); d != "" {
				t.Errorf("update (-want +got):\n%s", d)
			}
			if s.method != http.MethodPut || s.uri != tt.uri+"?dryRun=All" || s.contentType != "application/json" {
				t.Errorf("update requested %s %s with %s", s.method, s.uri, s.contentType)
			}
			body := strings.ReplaceAll(s.body, `,"creationTimestamp":null`, "")
			if want := `{"kind":"Scale","apiVersion":"` + tt.apiVersion + `","metadata":{"name":"a"},"spec":{"replicas":3},"status":` + tt.status + `}`; body != want {
				t.Errorf("update sent\n%s\nwant\n%s", body, want)
			}
			gvr := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: tt.resource}
			if tt.namespace != "" {
				gvr.Group = ""
			}
			if _, err := scales.Patch(t.Context(), gvr, "a", types.MergePatchType, []byte("{}"), metav1.PatchOptions{}); err != nil {
				t.Error(err)
			}
			if s.method != http.MethodPatch || s.uri != tt.uri || s.contentType != string(types.MergePatchType) || s.body != "{}" {
				t.Errorf("patch requested %s %s: %s", s.method, s.uri, s.body)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	_, client := newScales(t)
	for _, tt := range []struct {
		resource, text string
		update         bool
	}{
		{"unknown", "no matches for", false},
		{"unscaled", "no such thing", false},
		{"strange", "not a scale", false},
		{"others", "not a scale", false},
		{"broken", "target selector", false},
		{"unknown", "no matches for", true},
		{"unscaled", "could not find scale subresource", true},
		{"others", "could not convert", true},
		{"owns", "could not convert", true}, // a scale of apps/v1
	} {
		var err error
		resource := schema.GroupResource{Resource: tt.resource}
		if tt.update {
			_, err = client.Scales("").Update(t.Context(), resource, want("a=b"), metav1.UpdateOptions{})
		} else {
			_, err = client.Scales("").Get(t.Context(), resource, "a", metav1.GetOptions{})
		}
		if err == nil || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: got %v, want %q", tt.resource, err, tt.text)
		}
	}
	if _, err := client.Scales("n").Get(t.Context(), schema.GroupResource{Resource: "cores"}, "missing", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("missing: got %v", err)
	}
	if _, err := client.Scales("").Update(t.Context(), schema.GroupResource{Resource: "firsts"}, want("=="), metav1.UpdateOptions{}); err == nil {
		t.Error("an invalid selector was sent")
	}
}

// resources counts requests.
type resources struct {
	discovery.ServerResourcesInterface
	calls int
	err   error
}

func (r *resources) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	r.calls++
	return &metav1.APIResourceList{APIResources: []metav1.APIResource{{Name: "a/scale", Kind: "Scale"}}}, r.err
}

// What the server says is requested once; a failure is not kept.
func TestResolver(t *testing.T) {
	r := &resources{err: errors.New("broken")}
	resolver := scale.NewDiscoveryScaleKindResolver(r)
	resource := schema.GroupVersionResource{Group: "g", Version: "v1", Resource: "a"}
	if _, err := resolver.ScaleForResource(resource); !errors.Is(err, r.err) {
		t.Errorf("got %v", err)
	}
	r.err = nil
	for range 3 {
		if kind, err := resolver.ScaleForResource(resource); err != nil || kind != (schema.GroupVersionKind{Group: "g", Version: "v1", Kind: "Scale"}) {
			t.Errorf("ScaleForResource returns %v and %v, want the kind Scale of g/v1", kind, err)
		}
	}
	if r.calls != 2 {
		t.Errorf("%d requests", r.calls)
	}
}

func TestFake(t *testing.T) {
	f := &fake.FakeScaleClient{}
	f.AddReactor("update", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, action.(clienttesting.UpdateAction).GetObject(), nil
	})
	f.AddReactor("get", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("broken")
	})
	pods, nodes := schema.GroupResource{Resource: "pods"}, schema.GroupResource{Resource: "nodes"}
	if got, err := f.Scales("n").Update(t.Context(), pods, want("a=b"), metav1.UpdateOptions{}); err != nil || got.Spec.Replicas != 3 {
		t.Errorf("the update returns %v and %v, want 3 replicas", got, err)
	}
	if got, err := f.Scales("n").Get(t.Context(), pods, "a", metav1.GetOptions{}); err != nil || got == nil {
		t.Errorf("Get of the scale of pods returns %v and %v", got, err)
	}
	if got, err := f.Scales("").Get(t.Context(), nodes, "a", metav1.GetOptions{}); err == nil || got != nil {
		t.Errorf("Get of the scale of nodes returns %v and %v, want the reactor's error", got, err)
	}
	if _, err := f.Scales("n").Patch(t.Context(), pods.WithVersion("v1"), "a", types.JSONPatchType, nil, metav1.PatchOptions{}); err != nil {
		t.Error(err)
	}
	var got []string
	for _, action := range f.Actions() {
		got = append(got, action.GetVerb()+" "+action.GetNamespace()+" "+action.GetResource().Resource+"/"+action.GetSubresource())
	}
	if d := cmp.Diff([]string{"update n pods/scale", "get n pods/scale", "get  nodes/scale", "patch n pods/scale"}, got); d != "" {
		t.Errorf("actions (-want +got):\n%s", d)
	}
}
