package embedded_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// send sends a YAML document as the admin, and returns the code of the response.
func send(t *testing.T, srv *embedded.Server, method, path, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, srv.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/yaml")
	resp, err := clientFor(t, srv.Config()).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

const books = "/apis/library.example.com/v1/namespaces/default/books"

func book(name string) string {
	return `{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"name":"` + name + `"},"spec":{"title":"B"}}`
}

func TestRestore(t *testing.T) {
	srv := embedded.Start(t, embedded.WithCRDs("../testdata/crds"))
	send(t, srv, http.MethodPost, books, book("one"))
	initial := srv.Snapshot()
	for range 3 {
		send(t, srv, http.MethodPost, books, book("two"))
		send(t, srv, http.MethodDelete, books+"/one", "")
		// A CRD that is deleted takes its objects with it; another one is new.
		if code := send(t, srv, http.MethodDelete, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/books.library.example.com", ""); code != 200 {
			t.Fatal(code)
		}
		if code := send(t, srv, http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", manifest("as", "A")); code != 201 {
			t.Fatal(code)
		}
		if code, _ := get(t, srv.Config(), "/apis/example.com/v1/as"); code != 200 {
			t.Error("the new resource is not served", code)
		}
		if err := srv.Restore(initial); err != nil {
			t.Fatal(err)
		}
		if code, body := get(t, srv.Config(), books+"/one"); code != 200 || !strings.Contains(body, `"title":"B"`) {
			t.Error(code, body)
		}
		for _, path := range []string{books + "/two", "/apis/example.com/v1/as"} {
			if code, body := get(t, srv.Config(), path); code != 404 {
				t.Error(path, code, body)
			}
		}
		if code, body := get(t, srv.Config(), "/apis/example.com"); code != 404 {
			t.Error("discovery:", code, body)
		}
		if code, body := get(t, srv.Config(), "/apis/library.example.com/v1"); code != 200 {
			t.Error("discovery:", code, body)
		}
	}
	for _, snapshot := range []*embedded.Snapshot{nil, {}, embedded.Start(t).Snapshot()} {
		if err := srv.Restore(snapshot); err == nil {
			t.Error("restored", snapshot)
		}
	}
}

// An informer's view of Restore is a series of writes; permissions, addresses and tokens follow.
func TestRestoredRules(t *testing.T) {
	srv := embedded.Start(t)
	clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
	core := clients.CoreV1()
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 1}}}}
	service, err := core.Services("default").Create(t.Context(), service, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	initial := srv.Snapshot()
	changes, err := core.Services("default").Watch(t.Context(), metav1.SingleObject(service.ObjectMeta))
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()

	if err = core.Services("default").Delete(t.Context(), "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	other := service.DeepCopy()
	other.Name, other.ResourceVersion = "two", "" // takes the address
	if _, err = core.Services("default").Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bind := `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"jane"},"roleRef":` +
		`{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"User","name":"jane"}]}`
	if code := send(t, srv, http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", bind); code != 201 {
		t.Fatal(code)
	}
	if code, _ := get(t, srv.ConfigFor("jane"), "/api/v1/nodes"); code != 200 {
		t.Error(code)
	}
	if err = srv.Restore(initial); err != nil {
		t.Fatal(err)
	}
	if code, _ := get(t, srv.ConfigFor("jane"), "/api/v1/nodes"); code != 403 {
		t.Error("jane still has her role:", code)
	}
	for _, want := range []watch.EventType{watch.Deleted, watch.Added} {
		event := <-changes.ResultChan()
		got, ok := event.Object.(*corev1.Service)
		if event.Type != want || !ok || got.UID != service.UID || want == watch.Added && got.ResourceVersion == service.ResourceVersion {
			t.Errorf("the watch of a restored service got %s %v, want %s of the service with its former UID", event.Type, event.Object, want)
		}
	}
	other.Name = "three"
	if _, err = core.Services("default").Create(t.Context(), other, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		t.Error("the address is given twice:", err)
	}
}

func BenchmarkRestore(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("%d-objects-100-changed", n), func(b *testing.B) {
			srv := embedded.Start(b)
			config := srv.RESTConfig()
			config.QPS = -1
			clients := kubernetes.NewForConfigOrDie(config)
			maps := clients.CoreV1().ConfigMaps("default")
			create := func(name string) {
				if _, err := maps.Create(b.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			for i := range n {
				create(fmt.Sprint("kept-", i))
			}
			for b.Loop() {
				b.StopTimer()
				snapshot := srv.Snapshot()
				for i := range 100 {
					create(fmt.Sprint("new-", i))
				}
				b.StartTimer()
				if err := srv.Restore(snapshot); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRestoreInitial checks that the objects that every cluster has are in a snapshot, although they are not created before
// somebody asks for them.
func TestRestoreInitial(t *testing.T) {
	srv := embedded.Start(t)
	initial := srv.Snapshot()
	const roles = "/apis/rbac.authorization.k8s.io/v1"
	for _, path := range []string{
		roles + "/clusterroles/view", roles + "/clusterrolebindings/cluster-admin",
		roles + "/namespaces/kube-system/roles/extension-apiserver-authentication-reader",
		roles + "/namespaces/kube-system/rolebindings/system::extension-apiserver-authentication-reader",
		"/api/v1/namespaces/default", "/api/v1/namespaces/default/services/kubernetes",
		"/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
		"/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/exempt",
		"/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt",
	} {
		code, before := get(t, srv.Config(), path)
		if code != http.StatusOK {
			t.Error(path, code, before)
		}
		if err := srv.Restore(initial); err != nil {
			t.Fatal(err)
		}
		if code, after := get(t, srv.Config(), path); after != before {
			t.Errorf("%s: %d %s after Restore; before:\n%s", path, code, after, before)
		}
	}
}
