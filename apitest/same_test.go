package apitest_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionreview "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	libraryv1 "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/typed/library/v1"
	"github.com/listwatch/listwatch/runtime/rest"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func newBook(name string) *v1.Book {
	book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: name}}
	book.Spec.Title = "Emma"
	return book
}

func newNamespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func library(config *rest.Config) libraryv1.LibraryV1Interface {
	return versioned.NewForConfigOrDie(config).LibraryV1()
}

func booksOf(config *rest.Config) libraryv1.BookInterface { return library(config).Books("default") }

// script is what a test does with a server; log gets what both servers must have in common.
type script func(ctx context.Context, t *testing.T, s *side, log func(format string, args ...any))

// patience bounds what tests wait for.
const patience = time.Minute

// pace is how long writes take.
const pace = 20 * time.Millisecond

var start = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

var scripts = []struct {
	name    string
	options options
	script  script
}{
	{"users", options{texts: []string{roles}}, users},
	{"recording", options{}, recorded},
	{"rules", options{}, rules},
	{"connections", options{}, connections},
	{"history", options{history: 1}, history},
	{"pace", options{pace: pace}, paced},
	{"time", options{start: start}, clock},
	{"snapshot", options{}, snapshots},
	{"definitions", options{}, definitions},
	{"controllers", options{collect: true}, collected},
	{"stop", options{}, stopped},
}

// TestSame runs scripts with servers of this package and of package embedded, and compares what they note.
func TestSame(t *testing.T) {
	for _, c := range scripts {
		t.Run(c.name, func(t *testing.T) {
			c.options.crds = []string{"testdata/crds"}
			var notes []string
			for _, side := range sides {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				var text strings.Builder
				s := side.start(t, c.options)
				c.script(ctx, t, s, func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) })
				notes = append(notes, text.String())
			}
			if diff := cmp.Diff(strings.Split(notes[0], "\n"), strings.Split(notes[1], "\n")); diff != "" {
				t.Errorf("%s (-) and %s (+) differ:\n%s", sides[0].name, sides[1].name, diff)
			}
			t.Log(notes[0])
		})
	}
}

const roles = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [library.example.com], resources: [books], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: readers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
`

func users(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	certificate, err := s.Certificate("jane", "readers")
	if err != nil {
		t.Fatal(err)
	}
	certified := rest.AnonymousClientConfig(s.Config())
	certified.CertData, certified.KeyData = certificate.Cert, certificate.Key
	_, err = booksOf(s.Config()).Create(ctx, newBook("emma"), metav1.CreateOptions{})
	log("admin: create: %v", err)
	for _, c := range []struct {
		name   string
		config *rest.Config
	}{
		{"jane", s.ConfigFor("jane")}, {"jim", s.ConfigFor("jim")}, {"root", s.ConfigFor("jim", "system:masters")},
		{"service account", s.ConfigFor("system:serviceaccount:default:robot")}, {"certified", certified},
		{"nobody", rest.AnonymousClientConfig(s.Config())},
	} {
		_, err := booksOf(c.config).Get(ctx, "emma", metav1.GetOptions{})
		log("%s: get: %v", c.name, err)
		log("%s: delete: %v", c.name, booksOf(c.config).Delete(ctx, "nothing", metav1.DeleteOptions{}))
	}
	for _, kubeconfig := range []func() ([]byte, error){s.Kubeconfig, func() ([]byte, error) { return s.KubeconfigFor("jane") }} {
		text, err := kubeconfig()
		log("kubeconfig: %v, %d lines, address %t", err, strings.Count(string(text), "\n"), strings.Contains(string(text), s.URL()))
	}
	first, second := s.ConfigFor("jane", "a"), s.ConfigFor("jane", "a")
	log("same token: %t", first.BearerToken == second.BearerToken)
	log("no folder: %t", s.WriteKubeconfig("nowhere/kubeconfig") != nil)
}

func recorded(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.ConfigFor("writer", "system:masters"))
	record := s.record()
	created, err := books.Create(ctx, newBook("emma"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = books.UpdateStatus(ctx, created, metav1.UpdateOptions{})
	log("unchanged: %v", err)
	_, err = books.Create(ctx, newBook("emma"), metav1.CreateOptions{})
	log("again: %v", err)
	_, err = books.List(ctx, metav1.ListOptions{})
	log("list: %v", err)
	log("%s", record.Requests())
	log("%s", record.Requests(apitest.Modifying, apitest.By("writer"), apitest.Not(apitest.Matching("* */status"))))
	record.Reset()
	log("after reset: %d, dropped %d", len(record.Requests()), record.Dropped())
	record.Stop()
	log("%v", books.Delete(ctx, "emma", metav1.DeleteOptions{}))
	log("after stop: %d", len(record.Requests()))
}

func rules(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.Config())
	match := apitest.Match{Group: "library.example.com", Verb: "get"}
	for _, c := range []struct {
		name string
		err  error
	}{
		{"unavailable", apierrors.NewServiceUnavailable("away")},
		{"too many", apierrors.NewTooManyRequests("slowly", 0)},
		{"conflict", apierrors.NewConflict(v1.SchemeGroupVersion.WithResource("books").GroupResource(), "emma", errors.New("written"))},
		{"plain", errors.New("broken")},
		{"wrapped", fmt.Errorf("wrapped: %w", apierrors.NewServiceUnavailable("away"))},
	} {
		i := s.inject(apitest.Rule{Match: match, Error: c.err, Times: 1})
		var status *apierrors.StatusError
		_, err := books.Get(ctx, "emma", metav1.GetOptions{})
		if !errors.As(err, &status) {
			t.Fatal(err)
		}
		log("%s: %+v", c.name, status.ErrStatus)
		await(ctx, t, i.Done())
		log("hits: %d", i.Hits())
	}
	i := s.inject(apitest.Rule{Match: match, Delay: time.Millisecond})
	log("hits: %d", i.Hits())
	_, err := books.Get(ctx, "emma", metav1.GetOptions{})
	log("delayed: %v, hits: %d", err, i.Hits())
	i.Remove()
	i.Remove()
	await(ctx, t, i.Done())
}

func await(ctx context.Context, t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-ctx.Done():
		t.Error("it does not end")
	}
}

func connections(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.Config())
	open := func() watch.Interface {
		w, err := books.Watch(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Stop)
		return w
	}
	ended := func(w watch.Interface) {
		for event := range w.ResultChan() {
			if event.Type == watch.Error {
				log("a watch ends with an error")
			}
		}
	}
	w := open()
	log("others: %d", s.faults.DropWatches(apitest.Match{Resource: "shelves"}))
	log("books: %d", s.faults.DropWatches(apitest.Match{Resource: "others"}, apitest.Match{Resource: "books"}))
	ended(w)
	w = open()
	log("all: %d", s.faults.DropWatches())
	ended(w)
	w = open()
	log("cut: %t", s.faults.CutConnections() > 0)
	ended(w)
	w = open()
	log("restart: %v", s.Restart())
	ended(w)
	s.faults.Freeze()
	s.faults.Freeze()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err := books.List(short, metav1.ListOptions{})
	log("frozen: %t", errors.Is(err, context.DeadlineExceeded))
	s.faults.Thaw()
	_, err = books.List(ctx, metav1.ListOptions{})
	log("thawed: %v", err)
	s.faults.Freeze()
	log("frozen at the end")
}

func history(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.Config())
	for _, name := range []string{"a", "b", "c"} {
		if _, err := books.Create(ctx, newBook(name), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := books.List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	watched := func() error {
		w, refused := books.Watch(ctx, metav1.ListOptions{ResourceVersion: page.Items[0].ResourceVersion})
		if refused != nil {
			return refused
		}
		defer w.Stop()
		return apierrors.FromObject((<-w.ResultChan()).Object)
	}
	log("short history: %t", apierrors.IsResourceExpired(watched()) || apierrors.IsGone(watched()))
	if _, err = books.Create(ctx, newBook("d"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	s.faults.ExpireHistory()
	_, err = books.List(ctx, metav1.ListOptions{Limit: 1, Continue: page.Continue})
	log("next page: %t", apierrors.IsResourceExpired(err))
}

func paced(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	before := time.Now()
	if _, err := booksOf(s.Config()).Create(ctx, newBook("emma"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	log("a write takes its time: %t", time.Since(before) >= pace)
	if _, err := booksOf(s.Config()).Get(ctx, "emma", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
}

func clock(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	log("now: %v", s.Now().UTC())
	s.Advance(-time.Hour)
	log("now: %v", s.Now().UTC())
	s.Advance(90 * time.Minute)
	book, err := booksOf(s.Config()).Create(ctx, newBook("emma"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log("now: %v, created: %v", s.Now().UTC(), book.CreationTimestamp.UTC())
}

func snapshots(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.Config())
	created, err := books.Create(ctx, newBook("emma"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	restore := s.snapshot()
	for range 2 {
		log("%v", books.Delete(ctx, "emma", metav1.DeleteOptions{}))
		if _, err = books.Create(ctx, newBook("other"), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		log("restore: %v", restore())
		list, err := books.List(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, book := range list.Items {
			log("%s, the same: %t", book.Name, book.UID == created.UID)
		}
	}
	log("stop: %v", s.Stop())
	log("restore: %v", restore())
}

func definitions(ctx context.Context, _ *testing.T, s *side, log func(string, ...any)) {
	log("nil: %v", s.Apply(ctx, nil))
	err := s.Apply(ctx, &apiextensions.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "wrong"}})
	log("invalid: %v, an API error: %t", err, apierrors.IsInvalid(err))
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		log("%+v", status.Status())
	}
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "cats.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "cats", Kind: "Cat"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{Type: "object"}},
			}},
		},
	}
	log("%v", s.Apply(ctx, crd))
	client, err := versioned.NewForConfig(s.Config())
	if err != nil {
		log("%v", err)
		return
	}
	resources, err := client.Discovery().ServerResourcesForGroupVersion("example.com/v1")
	log("%v, %v", resources, err)
}

func collected(ctx context.Context, t *testing.T, s *side, log func(string, ...any)) {
	books := booksOf(s.Config())
	owner, err := books.Create(ctx, newBook("owner"), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	owned := newBook("owned")
	owned.OwnerReferences = []metav1.OwnerReference{{APIVersion: v1.SchemeGroupVersion.String(), Kind: "Book", Name: "owner", UID: owner.UID}}
	if _, err = books.Create(ctx, owned, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	log("%v", books.Delete(ctx, "owner", metav1.DeleteOptions{}))
	_, err = books.Get(ctx, "owned", metav1.GetOptions{})
	log("%v", err)
}

func stopped(ctx context.Context, _ *testing.T, s *side, log func(string, ...any)) {
	i := s.inject(apitest.Rule{})
	record := s.record()
	log("%v, %v", s.Stop(), s.Stop())
	_, err := booksOf(s.Config()).Get(ctx, "emma", metav1.GetOptions{})
	log("served: %t", err == nil)
	log("apply: %v, restart: %v", s.Apply(ctx), s.Restart())
	log("%d hits, %d requests", i.Hits(), len(record.Requests()))
	s.faults.Thaw()
	s.Advance(time.Hour)
}

// TestServingCertificate starts servers with a certificate of the test.
func TestServingCertificate(t *testing.T) {
	certificate, err := apitest.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := certificate.TLS()
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range sides {
		t.Run(side.name, func(t *testing.T) {
			s := side.start(t, options{serving: &pair, ca: certificate.CA})
			u, failure := url.Parse(s.URL())
			if failure != nil {
				t.Fatal(failure)
			}
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM(s.Config().CAData)
			conn, failure := tls.Dial("tcp", u.Host, &tls.Config{RootCAs: roots})
			if failure != nil {
				t.Fatal(failure)
			}
			defer func() { _ = conn.Close() }()
			if served := conn.ConnectionState().PeerCertificates[0].Raw; !bytes.Equal(served, pair.Certificate[0]) {
				t.Error("the server has another certificate")
			}
		})
	}
	if _, err = apitest.New(apitest.WithServingCertificate(tls.Certificate{PrivateKey: "wrong"}, nil)); err == nil {
		t.Error("a key that is not one was accepted")
	}
}

const hook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: hook.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: hooks, namespace: default, path: /validate}}
  rules: [{apiGroups: [library.example.com], apiVersions: [v1], operations: [CREATE], resources: [books]}]
`

// TestWebhooks lets both servers call webhooks of this process.
func TestWebhooks(t *testing.T) {
	certificate, err := apitest.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := certificate.TLS()
	if err != nil {
		t.Fatal(err)
	}
	hooks := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		review := admissionreview.AdmissionReview{}
		if err := json.NewDecoder(req.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Response = &admissionreview.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Message: "no " + review.Request.Name + " at " + req.URL.Path}}
		review.Request = nil
		_ = json.NewEncoder(w).Encode(review) // the server reports a missing response
	}))
	hooks.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	hooks.StartTLS()
	t.Cleanup(hooks.Close)
	for _, side := range sides {
		t.Run(side.name, func(t *testing.T) {
			s := side.start(t, options{crds: []string{"testdata/crds"}, texts: []string{hook}, webhooks: hooks.URL, ca: certificate.CA})
			_, err := booksOf(s.Config()).Create(t.Context(), newBook("emma"), metav1.CreateOptions{})
			if err == nil || !strings.Contains(err.Error(), "no emma at /validate") {
				t.Error(err)
			}
		})
	}
}
