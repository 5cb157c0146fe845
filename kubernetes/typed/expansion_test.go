// Package typed_test tests the hand-written methods of the clients of all groups, and of their fakes.
package typed_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	corev1 "k8s.io/api/core/v1"
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"

	"github.com/listwatch/listwatch/kubernetes/scheme"
	certificatesv1beta1client "github.com/listwatch/listwatch/kubernetes/typed/certificates/v1beta1"
	certificatesv1beta1fake "github.com/listwatch/listwatch/kubernetes/typed/certificates/v1beta1/fake"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	corev1fake "github.com/listwatch/listwatch/kubernetes/typed/core/v1/fake"
	eventsv1beta1client "github.com/listwatch/listwatch/kubernetes/typed/events/v1beta1"
	eventsv1beta1fake "github.com/listwatch/listwatch/kubernetes/typed/events/v1beta1/fake"
	extensionsv1beta1client "github.com/listwatch/listwatch/kubernetes/typed/extensions/v1beta1"
	extensionsv1beta1fake "github.com/listwatch/listwatch/kubernetes/typed/extensions/v1beta1/fake"
	policyv1client "github.com/listwatch/listwatch/kubernetes/typed/policy/v1"
	policyv1fake "github.com/listwatch/listwatch/kubernetes/typed/policy/v1/fake"
	policyv1beta1client "github.com/listwatch/listwatch/kubernetes/typed/policy/v1beta1"
	policyv1beta1fake "github.com/listwatch/listwatch/kubernetes/typed/policy/v1beta1/fake"
	"github.com/listwatch/listwatch/runtime/rest"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clients are those with hand-written methods.
type clients struct {
	core         corev1client.CoreV1Interface
	certificates certificatesv1beta1client.CertificatesV1beta1Interface
	events       eventsv1beta1client.EventsV1beta1Interface
	extensions   extensionsv1beta1client.ExtensionsV1beta1Interface
	policy       policyv1client.PolicyV1Interface
	policyBeta   policyv1beta1client.PolicyV1beta1Interface
}

// server records the last request, and answers all with body.
type server struct {
	request, contentType, sent string
	body                       string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent, _ := io.ReadAll(r.Body)
	s.request, s.contentType, s.sent = r.Method+" "+r.URL.RequestURI(), r.Header.Get("Content-Type"), string(sent)
	if strings.HasPrefix(s.body, "{") {
		w.Header().Set("Content-Type", runtime.ContentTypeJSON)
	}
	_, _ = io.WriteString(w, s.body)
}

func newClients(t *testing.T, body string) (clients, *server) {
	t.Helper()
	s := &server{body: body}
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	config := &rest.Config{Host: listener.URL}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	var errs [6]error
	var c clients
	c.core, errs[0] = corev1client.NewForConfigAndClient(config, client)
	c.certificates, errs[1] = certificatesv1beta1client.NewForConfigAndClient(config, client)
	c.events, errs[2] = eventsv1beta1client.NewForConfigAndClient(config, client)
	c.extensions, errs[3] = extensionsv1beta1client.NewForConfigAndClient(config, client)
	c.policy, errs[4] = policyv1client.NewForConfigAndClient(config, client)
	c.policyBeta, errs[5] = policyv1beta1client.NewForConfigAndClient(config, client)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return c, s
}

func newFakes() (clients, *clienttesting.Fake) {
	fake := &clienttesting.Fake{}
	return clients{
		&corev1fake.FakeCoreV1{Fake: fake}, &certificatesv1beta1fake.FakeCertificatesV1beta1{Fake: fake},
		&eventsv1beta1fake.FakeEventsV1beta1{Fake: fake}, &extensionsv1beta1fake.FakeExtensionsV1beta1{Fake: fake},
		&policyv1fake.FakePolicyV1{Fake: fake}, &policyv1beta1fake.FakePolicyV1beta1{Fake: fake},
	}, fake
}

const (
	plain     = "application/json"
	strategic = "application/strategic-merge-patch+json"
)

var (
	thing        = metav1.ObjectMeta{Namespace: "here", Name: "thing"}
	event        = &corev1.Event{ObjectMeta: thing}
	eventBeta    = &eventsv1beta1.Event{ObjectMeta: thing}
	eviction     = &policyv1.Eviction{ObjectMeta: thing}
	evictionBeta = &policyv1beta1.Eviction{ObjectMeta: thing}
	dryRun       = []string{metav1.DryRunAll}
	patch        = []byte(`{"count":2}`)
)

// expansions are all hand-written methods that send a request.
var expansions = []struct {
	name string
	call func(context.Context, clients) (any, error)
	// request is the method and URI, contentType and sent are the type and a part of its body.
	request, contentType, sent string
	// action is the action of the fake: verb, resource, namespace and name.
	action string
}{
	{
		"namespaces Finalize",
		func(ctx context.Context, c clients) (any, error) {
			return c.core.Namespaces().Finalize(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "here"}}, metav1.UpdateOptions{DryRun: dryRun})
		},
		"PUT /api/v1/namespaces/here/finalize?dryRun=All", plain, `"name":"here"`, "create namespaces/finalize",
	},
	{
		"nodes PatchStatus",
		func(ctx context.Context, c clients) (any, error) {
			return c.core.Nodes().PatchStatus(ctx, "thing", patch)
		},
		"PATCH /api/v1/nodes/thing/status", strategic, string(patch), "patch nodes/status thing",
	},
	{
		"pods Bind",
		func(ctx context.Context, c clients) (any, error) {
			binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Namespace: "there", Name: "thing"}, Target: corev1.ObjectReference{Name: "node"}}
			return nil, c.core.Pods("here").Bind(ctx, binding, metav1.CreateOptions{DryRun: dryRun})
		},
		"POST /api/v1/namespaces/here/pods/thing/binding?dryRun=All", plain, `"target":{"name":"node"}`, "create pods/binding in there",
	},
	{
		"pods Evict",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.core.Pods("here").Evict(ctx, evictionBeta)
		},
		"POST /api/v1/namespaces/here/pods/thing/eviction", plain, `"apiVersion":"policy/v1beta1"`, "create pods/eviction in here",
	},
	{
		"pods EvictV1beta1",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.core.Pods("here").EvictV1beta1(ctx, evictionBeta)
		},
		"POST /api/v1/namespaces/here/pods/thing/eviction", plain, `"apiVersion":"policy/v1beta1"`, "create pods/eviction in here",
	},
	{
		"pods EvictV1",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.core.Pods("here").EvictV1(ctx, eviction)
		},
		"POST /api/v1/namespaces/here/pods/thing/eviction", plain, `"apiVersion":"policy/v1"`, "create pods/eviction in here",
	},
	{
		"evictions Evict",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.policy.Evictions("here").Evict(ctx, eviction)
		},
		"POST /api/v1/namespaces/here/pods/thing/eviction", plain, `"apiVersion":"policy/v1"`, "create pods/eviction in here",
	},
	{
		"evictions Evict of v1beta1",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.policyBeta.Evictions("here").Evict(ctx, evictionBeta)
		},
		"POST /api/v1/namespaces/here/pods/thing/eviction", plain, `"apiVersion":"policy/v1beta1"`, "create pods/eviction in here",
	},
	{
		"pods GetLogs",
		func(ctx context.Context, c clients) (any, error) {
			return c.core.Pods("here").GetLogs("thing", &corev1.PodLogOptions{Container: "c", TailLines: ptr.To(int64(5))}).DoRaw(ctx)
		},
		"GET /api/v1/namespaces/here/pods/thing/log?container=c&tailLines=5", "", "", "get pods/log in here",
	},
	{
		"pods ProxyGet",
		func(ctx context.Context, c clients) (any, error) {
			return proxied(ctx, c.core.Pods("here").ProxyGet("https", "thing", "443", "/a/b", map[string]string{"x": "y"}))
		},
		"GET /api/v1/namespaces/here/pods/https:thing:443/proxy/a/b?x=y", "", "", "get pods in here thing",
	},
	{
		"services ProxyGet",
		func(ctx context.Context, c clients) (any, error) {
			return proxied(ctx, c.core.Services("here").ProxyGet("", "thing", "web", "", nil))
		},
		"GET /api/v1/namespaces/here/services/thing:web/proxy", "", "", "get services in here thing",
	},
	{
		"events CreateWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.core.Events("").CreateWithEventNamespace(event)
		},
		"POST /api/v1/namespaces/here/events", plain, `"name":"thing"`, "create events in here",
	},
	{
		"events UpdateWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.core.Events("here").UpdateWithEventNamespace(event)
		},
		"PUT /api/v1/namespaces/here/events/thing", plain, `"name":"thing"`, "update events in here",
	},
	{
		"events PatchWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.core.Events("").PatchWithEventNamespace(event, patch)
		},
		"PATCH /api/v1/namespaces/here/events/thing", strategic, string(patch), "patch events in here thing",
	},
	{
		"events Create of a sink",
		func(_ context.Context, c clients) (any, error) {
			return (&corev1client.EventSinkImpl{Interface: c.core.Events("")}).Create(event)
		},
		"POST /api/v1/namespaces/here/events", plain, `"name":"thing"`, "create events in here",
	},
	{
		"events Update of a sink",
		func(_ context.Context, c clients) (any, error) {
			return (&corev1client.EventSinkImpl{Interface: c.core.Events("")}).Update(event)
		},
		"PUT /api/v1/namespaces/here/events/thing", plain, `"name":"thing"`, "update events in here",
	},
	{
		"events Patch of a sink",
		func(_ context.Context, c clients) (any, error) {
			return (&corev1client.EventSinkImpl{Interface: c.core.Events("")}).Patch(event, patch)
		},
		"PATCH /api/v1/namespaces/here/events/thing", strategic, string(patch), "patch events in here thing",
	},
	{
		"events Search",
		func(_ context.Context, c clients) (any, error) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: "thing", UID: "1"}}
			return c.core.Events("here").Search(scheme.Scheme, pod)
		},
		"GET /api/v1/namespaces/here/events?fieldSelector=involvedObject.kind%3DPod%2CinvolvedObject.name%3Dthing%2CinvolvedObject.namespace%3Dhere%2CinvolvedObject.uid%3D1",
		"", "", "list events in here",
	},
	{
		"events Search for a reference",
		func(_ context.Context, c clients) (any, error) {
			return c.core.Events("").Search(nil, &corev1.ObjectReference{Namespace: "default", Name: "thing"})
		},
		"GET /api/v1/events?fieldSelector=involvedObject.name%3Dthing%2CinvolvedObject.namespace%3Ddefault",
		"", "", "list events in default",
	},
	{
		"events of v1beta1 CreateWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.events.Events("here").CreateWithEventNamespace(eventBeta)
		},
		"POST /apis/events.k8s.io/v1beta1/namespaces/here/events", plain, `"name":"thing"`, "create events in here",
	},
	{
		"events of v1beta1 UpdateWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.events.Events("here").UpdateWithEventNamespace(eventBeta)
		},
		"PUT /apis/events.k8s.io/v1beta1/namespaces/here/events/thing", plain, `"name":"thing"`, "update events in here",
	},
	{
		"events of v1beta1 PatchWithEventNamespace",
		func(_ context.Context, c clients) (any, error) {
			return c.events.Events("here").PatchWithEventNamespace(eventBeta, patch)
		},
		"PATCH /apis/events.k8s.io/v1beta1/namespaces/here/events/thing", strategic, string(patch), "patch events in here thing",
	},
	{
		"deployments Rollback",
		func(ctx context.Context, c clients) (any, error) {
			return nil, c.extensions.Deployments("here").Rollback(ctx, &extensionsv1beta1.DeploymentRollback{Name: "thing"}, metav1.CreateOptions{DryRun: dryRun})
		},
		"POST /apis/extensions/v1beta1/namespaces/here/deployments/thing/rollback?dryRun=All", plain, `"name":"thing"`, "create deployments/rollback",
	},
	{
		"certificateSigningRequests UpdateApproval",
		func(ctx context.Context, c clients) (any, error) {
			csr := &certificatesv1beta1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "thing"}}
			return c.certificates.CertificateSigningRequests().UpdateApproval(ctx, csr, metav1.UpdateOptions{DryRun: dryRun})
		},
		"PUT /apis/certificates.k8s.io/v1beta1/certificatesigningrequests/thing/approval?dryRun=All", plain, `"name":"thing"`, "update certificatesigningrequests/approval",
	},
}

// proxied returns the response through a proxy; fakes have none unless a reactor returns it.
func proxied(ctx context.Context, response rest.ResponseWrapper) (any, error) {
	if response == nil {
		return nil, nil
	}
	return response.DoRaw(ctx)
}

func TestRequests(t *testing.T) {
	for _, e := range expansions {
		t.Run(e.name, func(t *testing.T) {
			c, s := newClients(t, `{"metadata":{"name":"returned"}}`)
			result, err := e.call(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if s.request != e.request || s.contentType != e.contentType || !strings.Contains(s.sent, e.sent) {
				t.Errorf("sent %s (%s) %s\nwant %s (%s) ..%s..", s.request, s.contentType, s.sent, e.request, e.contentType, e.sent)
			}
			if object, ok := result.(metav1.Object); ok && object.GetName() != "returned" {
				t.Errorf("got %v, want the server's", result)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, e := range expansions {
		t.Run(e.name, func(t *testing.T) {
			c, _ := newClients(t, "")
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := e.call(ctx, c); !errors.Is(err, context.Canceled) && !strings.HasPrefix(e.name, "events") {
				t.Errorf("got %v, want %v", err, context.Canceled)
			}
		})
	}
}

func TestActions(t *testing.T) {
	for _, e := range expansions {
		t.Run(e.name, func(t *testing.T) {
			c, fake := newFakes()
			if _, err := e.call(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			actions := fake.Actions()
			if len(actions) != 1 {
				t.Fatalf("actions %v, want 1", actions)
			}
			if got := describe(actions[0]); got != e.action {
				t.Errorf("recorded %q, want %q", got, e.action)
			}
			refusal := errors.New("refused")
			fake.PrependReactor("*", "*", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refusal })
			if _, err := e.call(t.Context(), c); !strings.HasSuffix(e.name, "ProxyGet") && !errors.Is(err, refusal) {
				t.Errorf("got %v, want the reactor's error", err)
			}
		})
	}
}

// describe returns the verb, resource, namespace and name of an action.
func describe(a clienttesting.Action) string {
	text := a.GetVerb() + " " + path.Join(a.GetResource().Resource, a.GetSubresource())
	if a.GetNamespace() != "" {
		text += " in " + a.GetNamespace()
	}
	if named, ok := a.(interface{ GetName() string }); ok && named.GetName() != "" {
		text += " " + named.GetName()
	}
	return text
}

func TestOtherNamespaces(t *testing.T) {
	c, _ := newClients(t, "{}")
	events, betas := c.core.Events("other"), c.events.Events("other")
	for _, test := range []struct {
		name string
		call func() (any, error)
		want string
	}{
		{"create", func() (any, error) { return events.CreateWithEventNamespace(event) }, "can't create an event with namespace 'here' in namespace 'other'"},
		{"update", func() (any, error) { return events.UpdateWithEventNamespace(event) }, "can't update an event with namespace 'here' in namespace 'other'"},
		{"patch", func() (any, error) { return events.PatchWithEventNamespace(event, patch) }, "can't patch an event with namespace 'here' in namespace 'other'"},
		{"search", func() (any, error) { return events.Search(scheme.Scheme, event) }, "won't be able to find any events of namespace 'here' in namespace 'other'"},
		{"create of v1beta1", func() (any, error) { return betas.CreateWithEventNamespace(eventBeta) }, "can't create an event with namespace 'here' in namespace 'other'"},
		{"update of v1beta1", func() (any, error) { return betas.UpdateWithEventNamespace(eventBeta) }, "can't update an event with namespace 'here' in namespace 'other'"},
		{"patch of v1beta1", func() (any, error) { return betas.PatchWithEventNamespace(eventBeta, patch) }, "can't patch an event with namespace 'here' in namespace 'other'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.call(); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestFieldSelector(t *testing.T) {
	c, _ := newClients(t, "{}")
	name, empty := "thing", ""
	for _, test := range []struct {
		name                         string
		object, namespace, kind, uid *string
		want                         string
	}{
		{name: "all", want: ""},
		{name: "a name", object: &name, want: "involvedObject.name=thing"},
		{name: "no namespace", object: &name, namespace: &empty, want: "involvedObject.name=thing,involvedObject.namespace="},
		{name: "kind and UID", kind: &name, uid: &name, want: "involvedObject.kind=thing,involvedObject.uid=thing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := c.core.Events("").GetFieldSelector(test.object, test.namespace, test.kind, test.uid).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	fakes, fake := newFakes()
	if got := fakes.core.Events("").GetFieldSelector(&name, nil, nil, nil); !got.Empty() || len(fake.Actions()) != 1 {
		t.Errorf("fake: got %v and actions %v", got, fake.Actions())
	}
}

// TestLogsWhileTheyArrive reads a line of logs before the server has sent the next.
func TestLogsWhileTheyArrive(t *testing.T) {
	const lines = 3
	read := make(chan struct{})
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range lines {
			fmt.Fprintf(w, "line %d\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-read:
			case <-r.Context().Done():
				return
			}
		}
	}))
	defer listener.Close()
	core, err := corev1client.NewForConfig(&rest.Config{Host: listener.URL})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := core.Pods("here").GetLogs("thing", &corev1.PodLogOptions{Follow: true}).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Close() }()
	for i := range lines {
		line := make([]byte, len("line 0\n"))
		if _, err := io.ReadFull(stream, line); err != nil || string(line) != fmt.Sprintf("line %d\n", i) {
			t.Fatalf("got %q and %v", line, err)
		}
		read <- struct{}{}
	}
	if n, err := stream.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("after the last line: %d bytes, %v", n, err)
	}
	core.RESTClient().(*rest.RESTClient).Client.CloseIdleConnections()
}

func TestFakeLogs(t *testing.T) {
	refusal := errors.New("refused")
	reaction := func(obj runtime.Object, err error) clienttesting.ReactionFunc {
		return func(a clienttesting.Action) (bool, runtime.Object, error) {
			if opts, ok := a.(clienttesting.GenericAction).GetValue().(*corev1.PodLogOptions); !ok || opts.Container != "c" {
				return true, nil, fmt.Errorf("options %v", a)
			}
			return true, obj, err
		}
	}
	for _, test := range []struct {
		name    string
		reactor clienttesting.ReactionFunc
		want    string
		failure string
	}{
		{name: "without a reactor", want: "fake logs"},
		{name: "text", reactor: reaction(&runtime.Unknown{Raw: []byte("text")}, nil), want: "text"},
		{name: "error", reactor: reaction(nil, refusal), failure: "refused"},
		{name: "object of another type", reactor: reaction(&corev1.Pod{}, nil), failure: "expected reactor to return *runtime.Unknown, got *v1.Pod"},
		{name: "nil", reactor: reaction(nil, nil), failure: "expected reactor to return *runtime.Unknown, got <nil>"},
		{name: "nil of the type", reactor: reaction((*runtime.Unknown)(nil), nil), failure: "expected reactor to return *runtime.Unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, fake := newFakes()
			if test.reactor != nil {
				fake.PrependReactor("get", "pods/log", test.reactor)
			}
			stream, err := c.core.Pods("here").GetLogs("thing", &corev1.PodLogOptions{Container: "c"}).Stream(t.Context())
			if test.failure != "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) {
					t.Errorf("got %v, want %s", err, test.failure)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = stream.Close() }()
			got, err := io.ReadAll(stream)
			if d := cmp.Diff(test.want, string(got)); err != nil || d != "" {
				t.Error(err, d)
			}
		})
	}
}
