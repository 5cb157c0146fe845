package mapping_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	theirdynamic "k8s.io/client-go/dynamic"
	theirrest "k8s.io/client-go/rest"
	theirscale "k8s.io/client-go/scale"

	ourscale "github.com/listwatch/listwatch/kubernetes/scale"
	ourdynamic "github.com/listwatch/listwatch/runtime/dynamic"
	ourrest "github.com/listwatch/listwatch/runtime/rest"
)

// scales are both sides' clients.
type scales interface {
	Get(schema.GroupResource, string) (*autoscalingv1.Scale, error)
	Update(schema.GroupResource, *autoscalingv1.Scale) (*autoscalingv1.Scale, error)
	Patch(schema.GroupVersionResource, string) (*autoscalingv1.Scale, error)
}

// server returns one body, and notes requests.
type server struct {
	body     string
	requests []string
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent []byte
	if req.Body != nil {
		var err error
		if sent, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	contentType := req.Header.Get("Content-Type")
	if req.Method == http.MethodPut {
		contentType = "" // client-go sends none, which servers take for JSON
	}
	s.requests = append(s.requests, req.Method+" "+req.URL.String()+" "+contentType+" "+strings.TrimSpace(string(sent)))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

// one is a mapper and resolver for one resource.
type one struct{ kind schema.GroupVersionKind }

func (o one) ResourceFor(r schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return r.GroupResource().WithVersion("v7"), nil
}

func (o one) ScaleForResource(schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return o.kind, nil
}

func TestScales(t *testing.T) {
	statuses := []string{
		`{"replicas":2}`, `{"replicas":2,"selector":"a=b"}`, `{"replicas":2,"selector":{"a":"b","c":"d"}}`,
		`{"replicas":2,"targetSelector":"a=b,c!=d,e in (g,f),h"}`, `{"replicas":2,"selector":{"a":"b"},"targetSelector":"c=d"}`,
		`{"replicas":2,"targetSelector":"=="}`, `{"replicas":2,"selector":"=="}`, `{"replicas":2,"selector":{}}`, `{"replicas":2,"selector":" c = d "}`,
	}
	for _, gv := range []schema.GroupVersion{{Group: "autoscaling", Version: "v1"}, {Group: "extensions", Version: "v1beta1"}, {Group: "apps", Version: "v1beta1"}, {Group: "apps", Version: "v1beta2"}, {Group: "other", Version: "v1"}} {
		kind := gv.WithKind("Scale")
		for _, status := range statuses {
			t.Run(gv.String()+status, func(t *testing.T) {
				body := `{"kind":"Scale","apiVersion":"` + gv.String() + `","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"replicas":3},"status":` + status + `}`
				wantResults, wantRequests := drive(t, kind, body, theirClients)
				results, requests := drive(t, kind, body, ourClients)
				if d := cmp.Diff(wantResults, results); d != "" {
					t.Errorf("results (-client-go +ours):\n%s", d)
				}
				if d := cmp.Diff(wantRequests, requests); d != "" {
					t.Errorf("requests (-client-go +ours):\n%s", d)
				}
			})
		}
	}
}

// outcome is a result without its type, which client-go's conversions drop.
type outcome struct {
	Scale  *autoscalingv1.Scale
	Failed bool
}

func drive(t *testing.T, kind schema.GroupVersionKind, body string, clients func(*testing.T, *server, one) scales) ([]outcome, []string) {
	t.Helper()
	s := &server{body: body}
	client := clients(t, s, one{kind})
	var outcomes []outcome
	note := func(scale *autoscalingv1.Scale, err error) {
		if scale != nil {
			scale.TypeMeta = metav1.TypeMeta{}
		}
		outcomes = append(outcomes, outcome{scale, err != nil})
	}
	for _, resource := range []schema.GroupResource{{Resource: "pods"}, {Group: "apps", Resource: "deployments"}} {
		note(client.Get(resource, "a"))
		for _, selector := range []string{"", "a=b", "a in (c,b),d"} {
			note(client.Update(resource, &autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: autoscalingv1.ScaleSpec{Replicas: 4},
				Status: autoscalingv1.ScaleStatus{Replicas: 1, Selector: selector},
			}))
		}
		note(client.Patch(resource.WithVersion("v2"), "a"))
	}
	return outcomes, s.requests
}

// of has one namespace's client of either side.
type of struct {
	ctx context.Context
	theirscale.ScaleInterface
}

func theirClients(t *testing.T, s *server, o one) scales {
	t.Helper()
	config := &theirrest.Config{Host: "http://server.test", Transport: s, QPS: -1}
	client, err := theirscale.NewForConfig(config, o, theirdynamic.LegacyAPIPathResolverFunc, o)
	if err != nil {
		t.Fatal(err)
	}
	return of{t.Context(), client.Scales("n")}
}

func ourClients(t *testing.T, s *server, o one) scales {
	t.Helper()
	config := &ourrest.Config{Host: "http://server.test", Transport: s}
	client, err := ourscale.NewForConfig(config, o, ourdynamic.LegacyAPIPathResolverFunc, o)
	if err != nil {
		t.Fatal(err)
	}
	return of{t.Context(), client.Scales("n")}
}

func (c of) Get(r schema.GroupResource, name string) (*autoscalingv1.Scale, error) {
	return c.ScaleInterface.Get(c.ctx, r, name, metav1.GetOptions{ResourceVersion: "1"})
}

func (c of) Update(r schema.GroupResource, scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	return c.ScaleInterface.Update(c.ctx, r, scale, metav1.UpdateOptions{DryRun: []string{"All"}})
}

func (c of) Patch(r schema.GroupVersionResource, name string) (*autoscalingv1.Scale, error) {
	return c.ScaleInterface.Patch(c.ctx, r, name, types.MergePatchType, []byte(`{"spec":{"replicas":5}}`), metav1.PatchOptions{FieldManager: "m"})
}
