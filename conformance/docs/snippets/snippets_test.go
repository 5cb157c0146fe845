package snippets

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/internal/snippets"
)

const root = "../../.."

// TestModules checks the snippets of each module in one that requires what they use.
func TestModules(t *testing.T) {
	for _, c := range []struct {
		in   string
		from []string
	}{
		{"examples", []string{"apitest", "kubernetes", "metrics/prometheus"}},
		{"conformance", []string{"clientgo", "streaming"}},
		{"controllerruntime", []string{"controllerruntime"}},
	} {
		t.Run(c.in, func(t *testing.T) {
			var all []snippets.Snippet
			for _, module := range c.from {
				found, err := snippets.InModule(root, module)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, found...)
			}
			if len(all) == 0 {
				t.Error("found no code")
			}
			for _, err := range assumed.Check(filepath.Join(root, c.in), all) {
				t.Error(err)
			}
		})
	}
}

const (
	module  = "github.com/listwatch/listwatch/"
	runtime = module + "runtime/"
	library = module + "golden/one-group/"
)

// assumed is what the snippets leave out.
var assumed = snippets.Context{
	Imports: map[string]string{
		"apitest":           module + "apitest",
		"cache":             runtime + "cache",
		"client":            "sigs.k8s.io/controller-runtime/pkg/client",
		"context":           "context",
		"controllerruntime": module + "controllerruntime",
		"embedded":          module + "apitest/embedded",
		"controllers":       module + "apitest/controllers",
		"corev1":            "k8s.io/api/core/v1",
		"ctrl":              "sigs.k8s.io/controller-runtime",
		"events":            module + "kubernetes/events",
		"http":              "net/http",
		"httptest":          "net/http/httptest",
		"kubernetes":        module + "kubernetes",
		"leaderelection":    module + "kubernetes/leaderelection",
		"metav1":            "k8s.io/apimachinery/pkg/apis/meta/v1",
		"neturl":            "net/url",
		"os":                "os",
		"perturb":           module + "apitest/perturb",
		"portforward":       module + "streaming/portforward",
		"prometheus":        module + "metrics/prometheus",
		"prometheusclient":  "github.com/prometheus/client_golang/prometheus",
		"record":            module + "kubernetes/record",
		"remotecommand":     module + "streaming/remotecommand",
		"reconcile":         "sigs.k8s.io/controller-runtime/pkg/reconcile",
		"rest":              runtime + "rest",
		"apiruntime":        "k8s.io/apimachinery/pkg/runtime",
		"shards":            module + "kubernetes/shards",
		"spdy":              module + "streaming/spdy",
		"testing":           "testing",
		"theirrest":         "k8s.io/client-go/rest",
		"tls":               "crypto/tls",
		"typedcorev1":       module + "kubernetes/typed/core/v1",
		"v1":                module + "testdata/apis/one-group/library/v1",
		"versioned":         library + "clientset/versioned",
		"watch":             "k8s.io/apimachinery/pkg/watch",
		"workqueue":         runtime + "workqueue",
	},
	Variables: map[string]string{
		"broadcaster":    "record.EventBroadcaster",
		"certificate":    "*apitest.Certificate",
		"clientset":      "kubernetes.Interface",
		"config":         "*rest.Config",
		"ctx":            "context.Context",
		"emma":           "*v1.Book",
		"name":           "string",
		"namespace":      "string",
		"options":        "*corev1.PodExecOptions",
		"parameterCodec": "apiruntime.ParameterCodec",
		"pod":            "corev1.Pod",
		"pods":           "corev1.PodList",
		"reconcile":      "func(*testing.T)",
		"registry":       "*prometheusclient.Registry",
		"ring":           "*shards.Ring",
		"scheme":         "*apiruntime.Scheme",
		"shelve":         "func(context.Context, versioned.Interface)",
		"srv":            "*apitest.Server",
		"t":              "*testing.T",
		"transport":      "http.RoundTripper",
		"watcher":        "watch.Interface",
	},
	Only: map[string]snippets.Context{
		"apitest/perturb":                 {Variables: map[string]string{"run": "func(context.Context, *rest.Config) error", "users": "func(context.Context, *rest.Config) error"}},
		"apitest.Server.Restore":          {Variables: map[string]string{"cases": "[]struct{ name string }"}},
		"apitest/embedded":                {Imports: map[string]string{"kubernetes": "k8s.io/client-go/kubernetes"}},
		"apitest/embedded.Server.Restore": {Variables: map[string]string{"cases": "[]struct{ name string }", "srv": "*embedded.Server"}},
		"apitest.WithWebhooks":            {Variables: map[string]string{"pair": "tls.Certificate", "webhooks": "http.Handler"}},
		"apitest/embedded.WithWebhooks":   {Variables: map[string]string{"pair": "tls.Certificate", "webhooks": "http.Handler"}},
		"controllerruntime":               {Variables: map[string]string{"config": "*theirrest.Config"}},
		"controllerruntime.NewShardedCache": {
			Imports:   map[string]string{"shards": module + "kubernetes/shards"},
			Variables: map[string]string{"config": "*theirrest.Config", "clientset": "kubernetes.Interface", "reconciler": "reconcile.Reconciler"},
		},
		"controllerruntime.NotOlderThan": {Variables: map[string]string{"reader": "client.Reader"}},
		"kubernetes/events":              {Variables: map[string]string{"book": "*v1.Book", "reader": "*v1.Shelf"}},
		"kubernetes/record":              {Variables: map[string]string{"book": "*v1.Book", "reader": "string"}},
		"kubernetes/record.StatsOf":      {Imports: map[string]string{"prometheus": "github.com/prometheus/client_golang/prometheus"}},
		"kubernetes/shards": {Variables: map[string]string{
			"item": "shards.Item", "queue": "workqueue.TypedRateLimitingInterface[shards.Item]", "reconcile": "func(context.Context, cache.ObjectName) error",
		}},
		"streaming/portforward": {Variables: map[string]string{
			"ready": "chan struct{}", "stop": "chan struct{}", "upgrader": "spdy.Upgrader", "url": "*neturl.URL",
		}},
		"streaming/remotecommand": {Variables: map[string]string{"client": "kubernetes.Interface"}},
	},
	Texts: []string{
		"--bind-address", // flags
		"go get ",        // commands
		"KUBEBUILDER_ASSETS=",
		"patch ", // a request
	},
}
