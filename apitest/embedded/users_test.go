package embedded_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/rest"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func TestCredentials(t *testing.T) {
	srv := embedded.Start(t)
	nobody := rest.AnonymousClientConfig(srv.Config())
	liar := srv.Config()
	liar.BearerToken += "x"
	for _, c := range []struct {
		name   string
		config *rest.Config
		path   string
		want   int
		body   string
	}{
		{"admin", srv.Config(), "/api/v1/nodes", 200, ""},
		{"stranger", srv.ConfigFor("jane"), "/api/v1/nodes", 403, `"message":"nodes is forbidden: User \"jane\" cannot list resource \"nodes\" in API group \"\" at the cluster scope"`},
		{"anonymous discovery", srv.ConfigFor("jane"), "/apis", 200, ""},
		{"nobody", nobody, "/api/v1/nodes", 403, `User \"system:anonymous\"`},
		{"anonymous health request", nobody, "/healthz", 200, "ok"},
		{"liar", liar, "/healthz", 401, `"reason":"Unauthorized"`},
		{"master", srv.ConfigFor("root", "system:masters"), "/api/v1/nodes", 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, body := get(t, c.config, c.path)
			if code != c.want || !strings.Contains(body, c.body) {
				t.Errorf("GET %s: got %d %s, want %d with %s", c.path, code, body, c.want, c.body)
			}
		})
	}
	if a, b := srv.ConfigFor("jane", "x"), srv.ConfigFor("jane", "x"); a.BearerToken != b.BearerToken {
		t.Error("a user has two tokens")
	}
	if a, b := srv.ConfigFor("jane", "x", "y"), srv.ConfigFor("jane", "xy"); a.BearerToken == b.BearerToken {
		t.Error("two users have the same token")
	}
}

func TestAuthorizer(t *testing.T) {
	srv := embedded.Start(t, embedded.WithAuthorizer(authorizer.AuthorizerFunc(
		func(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
			switch a.GetUser().GetName() {
			case "broken":
				return authorizer.DecisionNoOpinion, "", errors.New("out of order")
			case "panic":
				panic("out of mind")
			}
			if a.GetResource() == "nodes" {
				return authorizer.DecisionAllow, "", nil
			}
			return authorizer.DecisionDeny, "nodes only", nil
		})))
	for _, c := range []struct {
		user, path string
		want       int
		body       string
	}{
		{"jane", "/api/v1/nodes", 200, ""},
		{"jane", "/api/v1/pods", 403, `at the cluster scope: nodes only"`},
		{"broken", "/api/v1/nodes", 500, "out of order"},
		{"panic", "/api/v1/nodes", 500, "This request caused apiserver to panic. Look in the logs for details.\n"},
		{"jane", "/api/v1/nodes", 200, ""},
	} {
		if code, body := get(t, srv.ConfigFor(c.user), c.path); code != c.want || !strings.Contains(body, c.body) {
			t.Errorf("%s: got %d %s, want %d %s", c.user, code, body, c.want, c.body)
		}
	}
	if code, body := get(t, srv.Config(), "/api/v1/pods"); code != 200 {
		t.Errorf("admin: got %d %s", code, body)
	}
}

// Without roles, all authenticated users may do everything.
func TestNoRoles(t *testing.T) {
	srv := embedded.Start(t, embedded.WithScheme(scheme.Scheme))
	if code, body := get(t, srv.ConfigFor("jane"), "/apis/library.example.com/v1/books"); code != 200 {
		t.Errorf("jane: %d %s", code, body)
	}
	nobody := rest.AnonymousClientConfig(srv.Config())
	if code, body := get(t, nobody, "/apis/library.example.com/v1/books"); code != 403 {
		t.Errorf("nobody: %d %s", code, body)
	}
	if code, body := get(t, nobody, "/version"); code != 200 {
		t.Errorf("nobody: %d %s", code, body)
	}
}

func TestTokenReview(t *testing.T) {
	srv := embedded.Start(t)
	jane := srv.ConfigFor("jane", "ops").BearerToken
	for _, c := range []struct {
		token string
		code  int
		want  authenticationv1.TokenReviewStatus
	}{
		{jane, 201, authenticationv1.TokenReviewStatus{Authenticated: true, User: authenticationv1.UserInfo{
			Username: "jane", Groups: []string{"ops", "system:authenticated"}}}},
		{"wrong", 201, authenticationv1.TokenReviewStatus{}},
		{"", 400, authenticationv1.TokenReviewStatus{}},
		{strings.Repeat("x", 1<<20), 413, authenticationv1.TokenReviewStatus{}},
	} {
		body, err := json.Marshal(map[string]any{
			"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": map[string]any{"token": c.token},
		})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := clientFor(t, srv.Config()).Post(srv.URL()+"/apis/authentication.k8s.io/v1/tokenreviews", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		review := authenticationv1.TokenReview{}
		if resp.StatusCode == http.StatusCreated {
			err = json.NewDecoder(resp.Body).Decode(&review)
		}
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		got, want := review.Status, c.want
		if resp.StatusCode != c.code || got.Authenticated != want.Authenticated || got.User.Username != want.User.Username ||
			strings.Join(got.User.Groups, " ") != strings.Join(want.User.Groups, " ") {
			t.Errorf("%.10q: got %d %+v, want %d %+v", c.token, resp.StatusCode, got, c.code, want)
		}
	}
}

func TestKubeconfigFile(t *testing.T) {
	for _, opts := range [][]embedded.Option{nil, {embedded.WithPlainHTTP()}} {
		srv := embedded.Start(t, opts...)
		file := filepath.Join(t.TempDir(), "kubeconfig")
		if opts != nil { // otherwise others can read it
			write(t, file, strings.Repeat("all: wrong\n", 1000))
		}
		if err := srv.WriteKubeconfig(file); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("file: %v, %v", info.Mode(), err)
		}
		theirs, err := clientcmd.BuildConfigFromFlags("", file)
		if err != nil {
			t.Fatal(err)
		}
		nodes := kubernetes.NewForConfigOrDie(theirs).CoreV1().Nodes()
		if _, err := nodes.List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Error(err)
		}
	}
	err := embedded.Start(t).WriteKubeconfig(filepath.Join(t.TempDir(), "no", "folder"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "write a kubeconfig: open ") {
		t.Errorf("written to a missing directory: %v", err)
	}
}

func TestObjects(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "mine"}}
	pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "i"}}
	pod.Status.Phase = corev1.PodRunning
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
	emma := &v1.Book{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.example.com/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{GenerateName: "emma-"},
		Spec:       v1.BookSpec{Title: "Emma"},
		Status:     v1.BookStatus{Shelf: "E"},
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	srv := embedded.Start(t, embedded.WithCRDs("../testdata/crds"), embedded.WithObjects(namespace, pod, emma, config))
	for path, want := range map[string]string{
		"/api/v1/namespaces/mine/pods/one":                            `"phase":"Running"`,
		"/apis/library.example.com/v1/namespaces/default/books":       `"shelf":"E"`,
		"/api/v1/namespaces/default/configmaps/one":                   `"name":"one"`,
		"/apis/library.example.com/v1/namespaces/mine/books":          `"items":[]`,
		"/api/v1/namespaces/default/configmaps/one?resourceVersion=0": `"uid"`,
	} {
		if code, body := get(t, srv.Config(), path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d %s, want %s", path, code, body, want)
		}
	}
	if pod.Kind != "" || pod.UID != "" || emma.Name != "" {
		t.Error("an object was changed")
	}
}

func TestObjectErrors(t *testing.T) {
	invalid := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "No"}}
	lost := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "nowhere"}}
	unknown := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}}
	unserved := unknown.DeepCopy()
	unserved.APIVersion, unserved.Kind = "library.example.com/v1", "Book"
	for _, c := range []struct {
		name   string
		object runtime.Object
		want   string
	}{
		{"invalid", invalid, `WithObjects: create ConfigMap "No": ConfigMap "No" is invalid: metadata.name: Invalid value: "No"`},
		{"namespace that does not exist", lost, `WithObjects: create ConfigMap "nowhere/one": namespaces "nowhere" not found`},
		{"kind that is not served", unserved, `WithObjects: create Book "emma": neither a CustomResourceDefinition nor the scheme has library.example.com/v1, Kind=Book`},
		{"type that is not known", unknown, `WithObjects: create *v1.Book "emma": set its apiVersion and kind, or add its type to the scheme of WithScheme: no kind is registered for the type v1.Book`},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv, err := embedded.New(embedded.WithObjects(c.object))
			if err == nil {
				t.Fatal("it started", srv.Stop())
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("start a server with the object: got error %q, want %q", err, c.want)
			}
		})
	}
}
