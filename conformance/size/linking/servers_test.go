package linking_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// handler is the package of Kubernetes that serves custom resources.
const handler = "k8s.io/apiextensions-apiserver/pkg/apiserver"

// beyond are the packages of others that package embedded links although its handler of custom resources does not need them.
var beyond = []string{
	"k8s.io/apimachinery/pkg/util/resourceversion",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/install",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1alpha1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1beta1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/validation",
	"k8s.io/apiserver/pkg/quota/v1/generic",
	"k8s.io/component-helpers/node/util/sysctl",
	"k8s.io/component-helpers/nodedeclaredfeatures",
	"k8s.io/component-helpers/nodedeclaredfeatures/features",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/dranodeallocatableresources",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/draoptionalnodeoperations",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/extendwebsocketstokubelet",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/inplacepodresize",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/restartallcontainers",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/usernamespaceshostnetwork",
	"k8s.io/component-helpers/nodedeclaredfeatures/features/volumebindmountoptions",
	"k8s.io/component-helpers/nodedeclaredfeatures/types",
	"k8s.io/component-helpers/resource",
	"k8s.io/pod-security-admission/admission",
	"k8s.io/pod-security-admission/admission/api",
	"k8s.io/pod-security-admission/admission/api/validation",
	"k8s.io/pod-security-admission/api",
	"k8s.io/pod-security-admission/metrics",
	"k8s.io/pod-security-admission/policy",
}

// origins are the rows of the table: the beginnings of import paths, the first that fits.
var origins = []struct {
	name     string
	prefixes []string
}{
	{"listwatch", []string{own}},
	{"k8s.io/apiserver", []string{"k8s.io/apiserver/"}},
	{"k8s.io/apiextensions-apiserver", []string{"k8s.io/apiextensions-apiserver/"}},
	{"k8s.io/client-go: typed clients, informers, listers, apply configurations", []string{
		"k8s.io/client-go/kubernetes", "k8s.io/client-go/informers", "k8s.io/client-go/listers", "k8s.io/client-go/applyconfigurations",
	}},
	{"k8s.io/client-go: the rest", []string{"k8s.io/client-go/"}},
	{"k8s.io/api", []string{"k8s.io/api/"}},
	{"k8s.io/apimachinery", []string{"k8s.io/apimachinery/"}},
	{"other modules of Kubernetes", []string{"k8s.io/", "sigs.k8s.io/"}},
	{"CEL", []string{"github.com/google/cel-go/", "cel.dev/", "github.com/antlr4-go/"}},
	{"gRPC", []string{"google.golang.org/grpc", "google.golang.org/genproto/", "github.com/grpc-ecosystem/"}},
	{"protobuf", []string{"google.golang.org/protobuf/", "github.com/golang/protobuf/"}},
	{"OpenTelemetry", []string{"go.opentelemetry.io/"}},
	{"etcd's client", []string{"go.etcd.io/", "github.com/coreos/"}},
	{"Prometheus", []string{"github.com/prometheus/", "github.com/beorn7/perks/"}},
	{"OpenAPI", []string{"github.com/go-openapi/", "github.com/google/gnostic-models/"}},
	{"others", []string{""}},
}

// linked returns the packages that a package of a module links, without those of the standard library.
func linked(t *testing.T, module, path string) []string {
	t.Helper()
	dir := filepath.Join(golden.Root(t), module)
	return strings.Fields(goCommand(t, dir, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", path))
}

// TestServers writes how much a test links with a server, and why.
func TestServers(t *testing.T) {
	embedded := linked(t, "apitest", "./embedded")
	needed := linked(t, "apitest", handler)
	columns := [][]string{embedded, needed, linked(t, "apitest", "."), linked(t, "controllerruntime", "sigs.k8s.io/controller-runtime/pkg/envtest")}

	var others []string
	for _, p := range embedded {
		if !strings.HasPrefix(p, own) && !slices.Contains(needed, p) {
			others = append(others, p)
		}
	}
	if slices.Sort(others); !slices.Equal(others, beyond) {
		t.Errorf("package embedded links, beyond what %s needs,\n%q, want\n%q", handler, others, beyond)
	}

	p := page{Many: many, Costs: readCosts(t)}
	all := row{"all", make([]int, len(columns))}
	for _, origin := range origins {
		r := row{origin.name, make([]int, len(columns))}
		for i, packages := range columns {
			for _, path := range packages {
				if originOf(path) == origin.name {
					r.Counts[i]++
				}
			}
			all.Counts[i] += r.Counts[i]
		}
		p.Packages = append(p.Packages, r)
	}
	p.Packages = append(p.Packages, all)
	var b strings.Builder
	if err := document.Execute(&b, p); err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(golden.Root(t), "docs", "linking.md"), b.String())
}

func originOf(path string) string {
	for _, origin := range origins {
		if slices.ContainsFunc(origin.prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
			return origin.name
		}
	}
	return ""
}
