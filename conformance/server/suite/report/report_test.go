package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/column"
	"github.com/listwatch/listwatch/conformance/server/suite/report"
	"github.com/listwatch/listwatch/internal/golden"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDocument(t *testing.T) {
	cases, err := suite.Load(filepath.Join("..", "testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.Write(cases, report.Columns{Clientset: table(t, "clientset"), Fake: table(t, "fake")})
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(golden.Root(t), "docs", "conformance.md"), got)
}

func table(t *testing.T, name string) column.Table {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "column", "testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := column.ParseTable(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestWrite(t *testing.T) {
	c, err := suite.Parse("cases/a/b.case", "# A title.\n\nPOST /api/v1/namespaces/${ns}/pods\n< 201 Created\ndiffers apitest: it is young\n< 200 OK\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.Write([]*suite.Case{c}, report.Columns{
		Clientset: column.Table{"a/b": {Case: "a/b", Word: column.Same}},
		Fake:      column.Table{"a/b": {Case: "a/b", Word: column.NotApplicable, Reason: "no call"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| [a](#a) | 1 | 0 of 1 | 1 of 1 | – | 1 of 1 |\n",
		"| [b](../conformance/server/suite/testdata/cases/a/b.case) | A title. | ✗ | ✓ | – | ✓ |\n",
		"\n- b, apitest: it is young\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
