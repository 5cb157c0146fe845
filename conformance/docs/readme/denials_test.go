package readme

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// TestDenials checks the sentences of README.md that say what listwatch does not have: when one is not true any more, it goes.
func TestDenials(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(readme)), " ")
	for _, denial := range []struct {
		sentence string
		check    func(*testing.T)
	}{
		{"**You need CBOR** from the client: the runtime does not have it.", noCBOR},
		{"The module [clientgo](clientgo) converts both in both directions; it cannot convert clients.", noClients},
		{"**Your Kubernetes libraries are older than v0.34.**", noOlderLibraries},
		{"By default, no controllers run; `WithControllers` runs stand-ins.", noControllers},
	} {
		if !strings.Contains(text, denial.sentence) {
			t.Errorf("README.md does not say any more: %s", denial.sentence)
		}
		t.Run(denial.sentence[:20], denial.check)
	}
}

func noCBOR(t *testing.T) {
	var accepts []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accepts = append(accepts, r.Header.Get("Accept"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"Pod","apiVersion":"v1"}`))
	}))
	defer server.Close()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/cbor", AcceptContentTypes: "application/cbor"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Pods("n").Get(t.Context(), "p", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(accepts) != 1 || strings.Contains(accepts[0], "cbor") {
		t.Errorf("a client that is told to use CBOR accepts %q: say so in README.md", accepts)
	}
}

// noClients checks that no exported function of clientgo names a clientset.
func noClients(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join(root, "clientgo", "*.go"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("found no sources: %v", err)
	}
	files := token.NewFileSet()
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, source, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			ast.Inspect(f.Type, func(n ast.Node) bool {
				if name, ok := n.(*ast.SelectorExpr); ok && (name.Sel.Name == "Clientset" || name.Sel.Name == "Interface") {
					t.Errorf("%s: %s converts clients: say so in README.md", files.Position(f.Pos()), f.Name)
				}
				return true
			})
		}
	}
}

func noOlderLibraries(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range module.Require {
		if r.Mod.Path == "k8s.io/apimachinery" && !strings.HasPrefix(r.Mod.Version, "v0.34.") {
			t.Errorf("go.mod requires apimachinery %s: README.md says v0.34", r.Mod.Version)
		}
	}
}

func noControllers(t *testing.T) {
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		Spec: appsv1.DeploymentSpec{
			Selector: metav1.SetAsLabelSelector(map[string]string{"app": "a"}),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "a"}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "c"}}},
			},
		},
	}
	replicaSets := func(options ...embedded.Option) int {
		apps := kubernetes.NewForConfigOrDie(embedded.Start(t, options...).Config()).AppsV1()
		if _, err := apps.Deployments("default").Create(t.Context(), deployment, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		list, err := apps.ReplicaSets("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Items)
	}
	if n := replicaSets(); n != 0 {
		t.Errorf("a deployment has %d replica sets by default", n)
	}
	if n := replicaSets(embedded.WithControllers(controllers.Deployments())); n != 1 {
		t.Errorf("with its controller, a deployment has %d replica sets", n)
	}
}
