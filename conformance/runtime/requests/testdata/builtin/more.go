package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/testing"

	"example.test/requests/drive"
	"example.test/requests/transcript"
)

// byHand matches the methods that no marker describes.
var byHand = regexp.MustCompile(`^(Bind|Evict\w*|GetLogs|ProxyGet|Finalize|PatchStatus|\w+WithEventNamespace\w*|Search\w*|GetFieldSelector)$`)

var (
	meta     = metav1.ObjectMeta{Namespace: "here", Name: "thing", Labels: map[string]string{"colour": "blue"}}
	event    = &corev1.Event{ObjectMeta: meta, Message: "something happened"}
	far      = &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "there", Name: "thing"}}
	patch    = []byte(`{"metadata":{"labels":{"colour":"red"}}}`)
	eviction = &policyv1.Eviction{ObjectMeta: meta, DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: new(int64(5))}}
	old      = &policyv1beta1.Eviction{ObjectMeta: meta}
	dry      = []string{metav1.DryRunAll}
)

// expansions call the methods by hand.
var expansions = []struct {
	name string
	call func(context.Context, kubernetes.Interface) (any, error)
}{
	{"Pods.Bind", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		binding := &corev1.Binding{ObjectMeta: meta, Target: corev1.ObjectReference{Kind: "Node", Name: "node"}}
		return nil, c.CoreV1().Pods("here").Bind(ctx, binding, metav1.CreateOptions{DryRun: dry})
	}},
	{"Pods.Evict", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return nil, c.CoreV1().Pods("here").Evict(ctx, old)
	}},
	{"Pods.EvictV1", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return nil, c.CoreV1().Pods("here").EvictV1(ctx, eviction)
	}},
	{"Pods.EvictV1beta1", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return nil, c.CoreV1().Pods("here").EvictV1beta1(ctx, old)
	}},
	{"Pods.GetLogs", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Pods("here").GetLogs("thing", &corev1.PodLogOptions{
			Container: "c", Previous: true, SinceSeconds: new(int64(60)), Timestamps: true, TailLines: new(int64(9)), LimitBytes: new(int64(99)),
		}).DoRaw(ctx)
	}},
	{"Pods.GetLogs streamed", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		stream, err := c.CoreV1().Pods("here").GetLogs("thing", &corev1.PodLogOptions{Follow: true}).Stream(ctx)
		if err != nil {
			return nil, err
		}
		defer stream.Close()
		return io.ReadAll(stream)
	}},
	{"Pods.ProxyGet", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return proxied(ctx, c.CoreV1().Pods("here").ProxyGet("https", "thing", "443", "/a/b c", map[string]string{"x": "y z"}))
	}},
	{"Services.ProxyGet", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return proxied(ctx, c.CoreV1().Services("here").ProxyGet("", "thing", "", "", nil))
	}},
	{"Namespaces.Finalize", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Namespaces().Finalize(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "here"}}, metav1.UpdateOptions{DryRun: dry})
	}},
	{"Nodes.PatchStatus", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Nodes().PatchStatus(ctx, "thing", patch)
	}},
	{"Events.CreateWithEventNamespace", func(_ context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("").CreateWithEventNamespace(event)
	}},
	{"Events.CreateWithEventNamespaceWithContext", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").CreateWithEventNamespaceWithContext(ctx, event)
	}},
	{"Events.UpdateWithEventNamespace", func(_ context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("").UpdateWithEventNamespace(event)
	}},
	{"Events.UpdateWithEventNamespaceWithContext", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").UpdateWithEventNamespaceWithContext(ctx, event)
	}},
	{"Events.PatchWithEventNamespace", func(_ context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("").PatchWithEventNamespace(event, patch)
	}},
	{"Events.PatchWithEventNamespaceWithContext", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").PatchWithEventNamespaceWithContext(ctx, event, patch)
	}},
	{"Events.SearchWithContext", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("").SearchWithContext(ctx, nil, &corev1.ObjectReference{})
	}},
	{"PodDisruptionBudgets.Evict", func(ctx context.Context, c kubernetes.Interface) (any, error) {
		return nil, c.PolicyV1().Evictions("here").Evict(ctx, eviction)
	}},
}

// elsewhere call methods with an event of another namespace than the client's.
var elsewhere = []struct {
	name string
	call func(kubernetes.Interface) (any, error)
}{
	{"Events.CreateWithEventNamespace", func(c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").CreateWithEventNamespace(far)
	}},
	{"Events.UpdateWithEventNamespace", func(c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").UpdateWithEventNamespace(far)
	}},
	{"Events.PatchWithEventNamespace", func(c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").PatchWithEventNamespace(far, patch)
	}},
	{"Events.Search", func(c kubernetes.Interface) (any, error) {
		return c.CoreV1().Events("here").Search(nil, &corev1.ObjectReference{Namespace: "there"})
	}},
}

func proxied(ctx context.Context, response rest.ResponseWrapper) (any, error) {
	if response == nil {
		return "no response", nil
	}
	return response.DoRaw(ctx)
}

// more drives the expansions, with a server that answers and one that refuses, and with each fake.
func more(_ drive.Tree, r *drive.Recorder) error {
	for _, status := range []int{http.StatusOK, http.StatusTooManyRequests} {
		if err := requests(r, status); err != nil {
			return err
		}
	}
	fakes := map[string]func(...runtime.Object) testing.FakeClient{
		"NewSimpleClientset": func(o ...runtime.Object) testing.FakeClient { return fake.NewSimpleClientset(o...) },
		"NewClientset":       func(o ...runtime.Object) testing.FakeClient { return fake.NewClientset(o...) },
	}
	for _, name := range []string{"NewSimpleClientset", "NewClientset"} {
		for _, e := range expansions {
			clientset := fakes[name](&corev1.Pod{ObjectMeta: meta})
			c := transcript.Call{Name: fmt.Sprintf("expansion fake %s %s", name, e.name)}
			note(&c, func() (any, error) { return e.call(context.Background(), clientset.(kubernetes.Interface)) })
			c.Actions = drive.Actions(clientset)
			r.Record(c)
		}
	}
	return nil
}

// requests drives the expansions with a server.
func requests(r *drive.Recorder, status int) error {
	var seen []transcript.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		seen = append(seen, drive.Record(req))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status == http.StatusOK {
			_, _ = io.WriteString(w, `{"metadata":{"name":"served"}}`)
		} else {
			_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","message":"no","code":429}`)
		}
	}))
	defer server.Close()
	clientset, err := kubernetes.NewForConfig(drive.Config(server.URL))
	if err != nil {
		return err
	}
	for _, e := range expansions {
		seen = nil
		c := transcript.Call{Name: fmt.Sprintf("expansion %d %s", status, e.name)}
		note(&c, func() (any, error) { return e.call(context.Background(), clientset) })
		c.Requests = seen
		r.Record(c)
	}
	for _, e := range elsewhere {
		seen = nil
		c := transcript.Call{Name: fmt.Sprintf("expansion %d elsewhere %s", status, e.name)}
		note(&c, func() (any, error) { return e.call(clientset) })
		c.Requests = seen
		r.Record(c)
	}
	return nil
}

// note records the results of a call.
func note(c *transcript.Call, call func() (any, error)) {
	defer drive.Recovered(c)
	result, err := call()
	drive.Fail(c, err)
	switch {
	case err != nil || result == nil:
	case reflect.TypeOf(result) == reflect.TypeFor[[]byte]():
		c.Result = string(result.([]byte))
	default:
		text, err := json.Marshal(result)
		if err != nil {
			panic(err) // all results have JSON
		}
		c.Result = string(text)
	}
}
