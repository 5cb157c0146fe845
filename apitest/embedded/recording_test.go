package embedded_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// failure is a test that records whether it has failed.
type failure struct {
	testing.TB
	text string
}

func (f *failure) Helper() {}

func (f *failure) Errorf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) }

func TestRecord(t *testing.T) {
	srv := embedded.Start(t)
	ctx := t.Context()
	maps := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().ConfigMaps("default")
	before := srv.Record()
	log := srv.Record()
	defer log.Stop()
	before.Stop()
	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "some-"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	one, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = maps.Update(ctx, one, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err = maps.Patch(ctx, "one", types.MergePatchType, []byte(`{"data":{"a":"b"}}`), metav1.PatchOptions{DryRun: []string{"All"}}); err != nil {
		t.Fatal(err)
	}
	if _, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}}, metav1.CreateOptions{}); err == nil {
		t.Fatal("created twice")
	}
	changes, err := maps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changes.Stop()
	if _, err = kubernetes.NewForConfigOrDie(srv.RESTConfigFor("jane")).CoreV1().Nodes().List(ctx, metav1.ListOptions{}); err == nil {
		t.Fatal("jane can list nodes")
	}
	if err = maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	get(t, srv.Config(), "/version")

	all := log.Requests()
	all.Expect(t, "create configmaps default/some-*", "create configmaps default/one", "update configmaps default/one", "patch configmaps default/one",
		"create configmaps", "watch configmaps default/", "list nodes", "deletecollection configmaps default/", "get /version")
	for i, want := range []string{
		"", "create configmaps default/one: 201 by admin", "update configmaps default/one: 200 by admin, nothing written",
		"patch configmaps default/one: 200 by admin, merge-patch, dry run", "", "watch configmaps default/: 200 by admin",
		"list nodes: 403 by jane", "deletecollection configmaps default/: 200 by admin", "get /version: 200 by admin",
	} {
		if got := all[i].String(); want != "" && got != want {
			t.Errorf("request %d is described as %q, want %q", i, got, want)
		}
	}
	if all[4].Code != 409 || all[7].Writes != 2 || all[2].Writes != 0 || all[1].Writes != 1 || all[3].Patch != types.MergePatchType {
		t.Errorf("codes, writes or patch types of the requests are not those recorded: %+v", all)
	}
	log.Requests(embedded.Modifying, embedded.By("jane")).Expect(t)
	log.Requests(embedded.Modifying, embedded.Not(embedded.Matching("create *", "delete* *"))).Expect(t, "update configmaps default/one", "patch configmaps")
	if got := before.Requests(); len(got) > 0 {
		t.Errorf("recorded after Stop:\n%s", got)
	}
	log.Reset()
	log.Requests().Expect(t)
}

func TestExpect(t *testing.T) {
	requests := embedded.Requests{
		{Verb: "patch", Group: "example.com", Resource: "books", Subresource: "status", Namespace: "default", Name: "emma", User: "jane", Code: 200, Writes: 1},
		{Verb: "get", Path: "/healthz", Code: 200},
	}
	for _, c := range []struct {
		patterns []string
		want     string // in the error; "" means none
	}{
		{[]string{"patch books/status default/emma", "get /healthz"}, ""},
		{[]string{"* books.example.com/* default/*", "* /*"}, ""},
		{[]string{"patch books/status", "get /healthz"}, ""},
		{[]string{"patch books", "get /healthz"}, "got         patch books.example.com/status default/emma: 200 by jane\n  want        patch books\n"},
		{[]string{"patch books.example.org/status", "get /healthz"}, "want        patch books.example.org/status"},
		{[]string{"patch books/status"}, "unexpected  get /healthz: 200 by"},
		{[]string{"patch books/status", "get /healthz", "delete books"}, "missing     delete books"},
	} {
		f := &failure{TB: t}
		if ok := requests.Expect(f, c.patterns...); ok != (c.want == "") || !strings.Contains(f.text, c.want) {
			t.Errorf("%q: %v %s", c.patterns, ok, f.text)
		}
	}
}

// Many clients at once.
func TestRecordMany(t *testing.T) {
	srv := embedded.Start(t)
	log := srv.Record()
	client := clientFor(t, srv.Config())
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for range 50 {
				resp, err := client.Get(srv.URL() + "/healthz")
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close() // it was answered
			}
		})
	}
	clients.Wait()
	if got := len(log.Requests()); got != 400 || log.Dropped() != 0 {
		t.Errorf("%d kept, %d dropped", got, log.Dropped())
	}
}
