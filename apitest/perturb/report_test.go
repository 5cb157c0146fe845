package perturb_test

import (
	"os"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// The report of a bug is as the guide shows it.
func TestReport(t *testing.T) {
	first := corpus.All()[0]
	r, err := perturb.Search(t, first.Controller(corpus.ClientGo, first.Wrong), perturb.Limits{Findings: 1})
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../docs/guides/perturb.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```text\n")
	want, _, _ := strings.Cut(rest, "```\n")
	if got := strings.ReplaceAll(r.Findings[0].Report, t.Name(), "TestPerturbed"); got != want {
		t.Errorf("got report\n%s\nwant, as in docs/guides/perturb.md,\n%s", got, want)
	}
}
