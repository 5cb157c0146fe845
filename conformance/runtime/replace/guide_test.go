package replace

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// The guide's row about kube-controller-manager has the figures of the page.
func TestGuideHasFiguresOfCluster(t *testing.T) {
	page, err := ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	want := guideRow(page)
	if want == "" {
		t.Fatal("the page has no figures of kube-controller-manager")
	}
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(filepath.Join(root, "docs", "guides", "replace.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), "\n"+want+"\n") {
		t.Errorf("docs/guides/replace.md has no row\n%s; write this one", want)
	}
}

// guideRow returns the row of the guide's table about kube-controller-manager, or "" if the page has no figures of it.
func guideRow(page *Page) string {
	cpu := map[string]string{} // in the first minute, by client
	for _, row := range page.Cluster {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if NameOf(row) == "kube-controller-manager" && len(cells) == 9 && cells[2] == "20000" {
			cpu[cells[1]] = cells[6]
		}
	}
	before, err := strconv.ParseFloat(cpu["client-go"], 64)
	after, failure := strconv.ParseFloat(cpu["listwatch"], 64)
	if err != nil || failure != nil || after == 0 {
		return ""
	}
	return "| kube-controller-manager with 20,000 pods: CPU in its first minute | " + cpu["client-go"] + " s | " + cpu["listwatch"] + " s | " +
		strconv.FormatFloat(before/after, 'f', 1, 64) + "x |"
}
