//go:build kube

package suite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

// pluginLists are the lists of plugins in the help of kube-apiserver: those that are enabled by default, and all.
var pluginLists = regexp.MustCompile(`--enable-admission-plugins strings.*default enabled ones \(([^)]*)\)\. Comma-delimited list of admission plugins: ([^.]*)\.`)

// pluginRow is a row of the table of plugins in docs/admission.md: the name and the state.
var pluginRow = regexp.MustCompile(`(?m)^\| ([A-Z]\w*) \| (\w+) \|`)

// TestPlugins compares the document about admission plugins with the plugins of kube-apiserver.
func TestPlugins(t *testing.T) {
	binaries, err := kube.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	help, err := exec.CommandContext(t.Context(), binaries.APIServer, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	lists := pluginLists.FindStringSubmatch(string(help))
	if lists == nil {
		t.Fatal("the help has no lists of plugins")
	}
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "admission.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all, enabled []string
	for _, row := range pluginRow.FindAllStringSubmatch(string(document), -1) {
		all = append(all, row[1])
		if row[2] != "no" {
			enabled = append(enabled, row[1])
		}
	}
	for _, c := range []struct {
		name, want string
		got        []string
	}{{"all plugins", lists[2], all}, {"plugins that are enabled by default", lists[1], enabled}} {
		want := slices.Sorted(slices.Values(strings.Split(c.want, ", ")))
		if got := slices.Sorted(slices.Values(c.got)); !slices.Equal(got, want) {
			t.Errorf("%s: docs/admission.md has %q, kube-apiserver %q", c.name, got, want)
		}
	}
}
