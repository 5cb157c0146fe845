package snippets_test

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/internal/snippets"
)

const root = "../.."

// TestModule type-checks the code in the doc comments of the root module and in documents.
func TestModule(t *testing.T) {
	all, err := snippets.InModule(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		if filepath.Base(document) == "tour.md" {
			continue // its code is part of programs: see TestExcerpts of examples/tour
		}
		more, err := snippets.InDocument(document)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, more...)
	}
	if len(all) < 20 {
		t.Errorf("found %d blocks, want those of the runtime's packages", len(all))
	}
	for _, err := range assumed.Check(root, all) {
		t.Error(err)
	}
}

const (
	module  = "github.com/listwatch/listwatch/"
	runtime = module + "runtime/"
	library = module + "golden/one-group/"
)

// assumed is what the snippets of the root module leave out.
var assumed = snippets.Context{
	Imports: map[string]string{
		"api":              runtime + "clientcmd/api",
		"cache":            runtime + "cache",
		"clientcmd":        runtime + "clientcmd",
		"cmpopts":          "github.com/google/go-cmp/cmp/cmpopts",
		"context":          "context",
		"debug":            runtime + "debug",
		"dynamic":          runtime + "dynamic",
		"dynamicinformer":  runtime + "dynamic/dynamicinformer",
		"externalversions": library + "informers/externalversions",
		"gentype":          runtime + "gentype",
		"http":             "net/http",
		"klog":             "k8s.io/klog/v2",
		"labels":           "k8s.io/apimachinery/pkg/labels",
		"libraryinformers": library + "informers/externalversions/library/v1",
		"librarylisters":   library + "listers/library/v1",
		"listers":          runtime + "listers",
		"metadata":         runtime + "metadata",
		"metav1":           "k8s.io/apimachinery/pkg/apis/meta/v1",
		"rest":             runtime + "rest",
		"retry":            runtime + "retry",
		"schema":           "k8s.io/apimachinery/pkg/runtime/schema",
		"sharing":          runtime + "sharing",
		"time":             "time",
		"typed":            library + "clientset/versioned/typed/library/v1",
		"v1":               module + "testdata/apis/one-group/library/v1",
		"version":          runtime + "version",
		"versioned":        library + "clientset/versioned",
		"wait":             "k8s.io/apimachinery/pkg/util/wait",
		"workqueue":        runtime + "workqueue",
	},
	Variables: map[string]string{
		"book":        "v1.Book",
		"cancel":      "context.CancelFunc",
		"client":      "versioned.Interface",
		"config":      "*rest.Config",
		"contextName": "string",
		"ctx":         "context.Context",
		"factory":     "externalversions.SharedInformerFactory",
		"handler":     "cache.ResourceEventHandlerFuncs",
		"informer":    "cache.TypedSharedIndexInformer[*v1.Book]",
		"kubeconfig":  "string",
		"logger":      "klog.Logger",
		"mux":         "*http.ServeMux",
		"name":        "string",
		"opts":        "metav1.ListOptions",
	},
	Only: map[string]snippets.Context{
		"runtime/cache": {Variables: map[string]string{
			"client": "typed.BookInterface",
			"queue":  "workqueue.TypedPriorityInterface[cache.ObjectName]",
		}},
		"runtime/cache.Writes": {Variables: map[string]string{
			"book":   "*v1.Book",
			"client": "versioned.Interface",
			"lister": "librarylisters.BookLister",
		}},
		"runtime/dynamic/dynamicinformer": {Variables: map[string]string{"client": "dynamic.Interface"}},
		"runtime/informers":               {Variables: map[string]string{"handler": "libraryinformers.BookHandlerFuncs"}},
		"runtime/listers.All":             {Variables: map[string]string{"books": "libraryinformers.BookInformer"}},
		"runtime/rest":                    {Variables: map[string]string{"client": "rest.Interface"}},
		"runtime/retry.RetryOnConflict":   {Variables: map[string]string{"books": "typed.BookInterface"}},
		"runtime/testing": {
			Imports: map[string]string{
				"apiruntime": "k8s.io/apimachinery/pkg/runtime",
				"testing":    runtime + "testing",
			},
			Variables: map[string]string{
				"scheme":  "*apiruntime.Scheme",
				"decoder": "apiruntime.Decoder",
				"objects": "[]apiruntime.Object",
			},
		},
	},
	Texts: []string{
		"ListWatch -> Reflector",
		"*{{import .Version.Types}}",
		"opts {{metav1}}",
	},
}
