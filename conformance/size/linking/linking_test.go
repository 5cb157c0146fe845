package linking_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

// deny are the packages that a program with one clientset must not link.
var deny = []struct {
	path   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`(^|/)fake$`), "fakes are for tests"},
	{regexp.MustCompile(`(^|/)(testing|testing/\w+|(http|api)test|testrestmapper)$`), "it is for tests"},
	{regexp.MustCompile(`^k8s\.io/client-go(/|$)`), "our runtime stands in for client-go"},
	{regexp.MustCompile(`^k8s\.io/api/`), "built-in types are not needed"},
	{regexp.MustCompile(`^github\.com/google/gnostic-models(/|$)`), "OpenAPI models are linked only if imported"},
	{regexp.MustCompile(`^k8s\.io/kube-openapi/pkg/([^u]|util/)`), "OpenAPI is linked only if imported"},
	{regexp.MustCompile(`^github\.com/listwatch/listwatch/runtime/openapi/`), "OpenAPI is linked only if imported"},
	{regexp.MustCompile(`^github\.com/go-openapi/`), "OpenAPI is linked only if imported"},
	{regexp.MustCompile(`^google\.golang\.org/protobuf/`), "apimachinery's protobuf needs no reflection"},
	{regexp.MustCompile(`^sigs\.k8s\.io/structured-merge-diff/v\d+/(typed|schema|merge|fieldpath)$`), "merging is for servers and fakes"},
	{regexp.MustCompile(`^gopkg\.in/evanphx/json-patch`), "patching is for servers and fakes"},
	{regexp.MustCompile(`^github\.com/(klauspost/compress|listwatch/listwatch/runtime/packed)(/|$)`), "objects are compressed only if package packed is imported"},
	{regexp.MustCompile(`^github\.com/listwatch/listwatch/runtime/debug$`), "the debug page is linked only if imported"},
	{regexp.MustCompile(`^github\.com/listwatch/listwatch/(generators|templates|internal|cmd)(/|$)`), "generating is over"},
}

// denied returns why a package must not be linked, or "" if it may be.
func denied(path string) string {
	for _, d := range deny {
		if d.path.MatchString(path) {
			return d.reason
		}
	}
	return ""
}

// builtin are packages that programs with the built-in clientset link: its types, and what the
// Extract functions of their apply configurations need.
var builtin = regexp.MustCompile(`^(k8s\.io/api/|sigs\.k8s\.io/structured-merge-diff/v\d+/(typed|schema|fieldpath)$)`)

// informed are packages that only programs with informers link.
var informed = regexp.MustCompile(`^github\.com/listwatch/listwatch/runtime/(cache|workqueue|listers|informers)$`)

func TestLinking(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs string
		informed     bool
		builtin      bool // it uses built-in types
	}{
		{"clientset", "listwatch", "clientgo", false, false},
		{"kubeconfig", "kubeconfig/listwatch", "kubeconfig/clientgo", false, false},
		{"controller", "controller/listwatch", "controller/clientgo", true, false},
		{"built-in kinds", "builtin/listwatch", "builtin/clientgo", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ours, theirs := build(t, c.ours), build(t, c.theirs)
			symbols := symbolsOf(t, c.ours)
			for _, p := range slices.Concat(ours.packages, symbols) {
				allowed := c.builtin && builtin.MatchString(p)
				if reason := denied(p); reason != "" && !allowed {
					t.Errorf("ours links %s: %s", p, reason)
				}
				if !c.informed && informed.MatchString(p) {
					t.Errorf("ours links %s: it has no informers", p)
				}
			}
			// Discovery clients import the client of OpenAPI documents. The linker drops what is not called.
			if p := "github.com/listwatch/listwatch/runtime/openapi"; slices.Contains(symbols, p) {
				t.Errorf("code of %s is linked, which nothing calls", p)
			}
			// If reading symbols fails, no package is denied.
			for _, p := range []string{"github.com/listwatch/listwatch/runtime/rest", "k8s.io/apimachinery/pkg/runtime", "net/http"} {
				if !slices.Contains(symbols, p) {
					t.Errorf("no symbol is of %s, among those of %d packages", p, len(symbols))
				}
			}
			if ours.size >= theirs.size {
				t.Errorf("ours has %d bytes, that on client-go %d", ours.size, theirs.size)
			}
			if len(ours.packages) >= len(theirs.packages) {
				t.Errorf("ours links %d packages, that on client-go %d", len(ours.packages), len(theirs.packages))
			}
			for _, p := range []program{theirs, ours} {
				t.Logf("%-20s %5.1f MB stripped (%.2f), %d packages (%.2f)", p.name, float64(p.size)/1e6, float64(p.size)/float64(theirs.size),
					len(p.packages), float64(len(p.packages))/float64(len(theirs.packages)))
			}
		})
	}
}

// TestReadme checks the figures of documents, which are of this machine's architecture.
func TestReadme(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the documents have the sizes of programs for amd64")
	}
	theirs := build(t, "controller/clientgo")
	for _, c := range []struct {
		document, row string
		ours          program
	}{
		{"README.md", "binary of a controller for one custom resource, stripped", build(t, "controller/listwatch")},
		{"docs/guides/replace.md", "binary of a controller on client-go, stripped", build(t, "controller/clientgo", replaced(t)...)},
	} {
		text, err := os.ReadFile(filepath.Join("../../..", c.document))
		if err != nil {
			t.Fatal(err)
		}
		row := regexp.MustCompile(`\| ` + c.row + ` \| ([\d.]+) MB \| ([\d.]+) MB \| ([\d.]+)x \|`).FindStringSubmatch(string(text))
		if row == nil {
			t.Errorf("%s has no row %q", c.document, c.row)
			continue
		}
		ratio := float64(theirs.size) / float64(c.ours.size)
		for i, got := range []float64{float64(theirs.size) / 1e6, float64(c.ours.size) / 1e6, ratio} {
			said, err := strconv.ParseFloat(row[1+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-said) > 0.02*said+0.05 {
				t.Errorf("%s says %g in the row %q, which is %.2f", c.document, said, c.row, got)
			}
		}
	}
}

func TestDenied(t *testing.T) {
	for path, want := range map[string]bool{
		"k8s.io/client-go/kubernetes/fake":                      true,
		"github.com/listwatch/listwatch/runtime/gentype/fake":   true,
		"github.com/listwatch/listwatch/runtime/testing":        true,
		"github.com/listwatch/listwatch/runtime/debug":          true,
		"github.com/listwatch/listwatch/runtime/openapi":        false,
		"github.com/listwatch/listwatch/runtime/openapi/models": true,
		"github.com/listwatch/listwatch/runtime/cache/testing":  true,
		"k8s.io/client-go":                               true,
		"k8s.io/api/core/v1":                             true,
		"testing":                                        true,
		"testing/fstest":                                 true,
		"net/http/httptest":                              true,
		"k8s.io/kube-openapi/pkg/spec3":                  true,
		"k8s.io/kube-openapi/pkg/util/proto":             true,
		"sigs.k8s.io/structured-merge-diff/v6/typed":     true,
		"gopkg.in/evanphx/json-patch.v4":                 true,
		"internal/synctest":                              false,
		"runtime/debug":                                  false,
		"k8s.io/kube-openapi/pkg/util":                   false,
		"sigs.k8s.io/structured-merge-diff/v6/value":     false,
		"k8s.io/apimachinery/pkg/api/errors":             false,
		"github.com/listwatch/listwatch/runtime/gentype": false,
		"github.com/listwatch/listwatch/golden/one-group/clientset/versioned":       false,
		"github.com/listwatch/listwatch/conformance/size/linking/listwatch":         false,
		"k8s.io/apimachinery/pkg/api/meta/testrestmapper":                           true,
		"github.com/listwatch/listwatch/internal/golden":                            true,
		"github.com/listwatch/listwatch/runtime/internal/secret":                    false,
		"github.com/listwatch/listwatch/golden/client-go/one-group/clientset/other": false,
	} {
		if got := denied(path) != ""; got != want {
			t.Errorf("%s: denied is %v", path, got)
		}
	}
}
