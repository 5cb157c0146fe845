package linking_test

import (
	"fmt"
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
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/install",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1alpha1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/v1beta1",
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota/apis/resourcequota/validation",
	"k8s.io/apiserver/pkg/quota/v1/generic",
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

	var b strings.Builder
	b.WriteString(serversHead)
	sums := make([]int, len(columns))
	for _, origin := range origins {
		fmt.Fprintf(&b, "| %s |", origin.name)
		for i, packages := range columns {
			n := 0
			for _, p := range packages {
				if originOf(p) == origin.name {
					n++
				}
			}
			sums[i] += n
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d |\n", sums[0], sums[1], sums[2], sums[3])
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

const serversHead = `<!-- Written by LISTWATCH_UPDATE=1 go test ./size/linking, in conformance. -->
# What tests link with a server

What a test links, builds and waits for with ` + "`apitest`" + `, whose servers are in a program; with ` + "`apitest/embedded`" + `,
which runs the server in the test; and with controller-runtime's ` + "`envtest`" + `, which runs kube-apiserver and etcd.

| | apitest | apitest/embedded | envtest |
|---|--:|--:|--:|
| first build, with an empty build cache, CPU s | 50, and about 316 for the program | 316 | 204 |
| build after a change of the test, CPU s | 0.8 | 6.0 | 3.3 |
| from the change to the verdict of a test with one server, CPU s | 1.7 | 7.5 | 5.6 |
| start of the first server, ms | 100 | 1.6 | 4,280 |
| start of another server, ms | 2.1 | 1.6 | 4,280 |
| memory of the server's processes, with 1 server, MB | 60 | 66 | 334 |
| memory, with 100 servers with a CRD, MB | 79 | 92 | |

Go 1.26.8 on two cores beside other work; starts of the first server are medians of five. The program is built once for each version
of it, and for each module that has it as a tool linked once more. Of the 1.7 CPU s, the go command takes 0.8 to find that the program
is up to date: with ` + "`APITEST`" + `, the path of the program, the test does not call it. For ` + "`apitest/embedded`" + `, the memory is that of the
test's process.

## Packages

The packages that a test links besides the standard library, by origin. Nearly all that ` + "`apitest/embedded`" + ` links is what
Kubernetes' own handler of custom resources, ` + "`" + handler + "`" + `, needs, which is the second column. It imports
the generic API server (k8s.io/apiserver/pkg/server), and with it etcd's client, gRPC, OpenTelemetry, and client-go's clients and
informers of built-in kinds, even if nothing uses them. So a project that has only CRDs would link the same without the built-in
kinds of ` + "`apitest/embedded`" + `; the controllers are in a package of their own. ` + "`apitest`" + ` is the way to link little.

| packages of | apitest/embedded | its handler of custom resources | apitest | envtest |
|---|--:|--:|--:|--:|
`
