package compatibility_test

import (
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/docs/compatibility"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration"
)

// result is the comparison of the two sides as they are.
type result struct {
	comparisons []compatibility.Comparison
	version     string
	err         error
}

var compared = sync.OnceValue(func() result {
	dir, err := os.Getwd()
	if err != nil {
		return result{err: err}
	}
	apis, version, err := compatibility.Load(dir, migration.Pairs)
	if err != nil {
		return result{err: err}
	}
	comparisons := compatibility.Compare(migration.Pairs, apis)
	trees, err := compatibility.LoadTrees(dir, migration.Trees)
	if err != nil {
		return result{err: err}
	}
	maps.Copy(apis, trees)
	return result{append(comparisons, compatibility.CompareTrees(migration.Trees, migration.Pairs, apis)...), version, nil}
})

func compare(t *testing.T) result {
	t.Helper()
	r := compared()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r
}

func TestDecisions(t *testing.T) {
	r := compare(t)
	_, complaints := compatibility.Judge(r.comparisons, migration.Decisions, compatibility.InUse())
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

// A difference here is one of what users were promised.
func TestKept(t *testing.T) {
	golden.File(t, filepath.Join("testdata", "kept.txt"), compatibility.Kept(compare(t).comparisons))
}

func TestDocument(t *testing.T) {
	r := compare(t)
	judged, _ := compatibility.Judge(r.comparisons, migration.Decisions, compatibility.InUse())
	text, err := compatibility.Document(judged, r.version)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(golden.Root(t), "docs", "compatibility.md"), text)
	_, tables, _ := strings.Cut(text, "## API coverage")
	for line := range strings.Lines(tables) {
		symbols, ok := strings.CutPrefix(line, "| `")
		if !ok || strings.Contains(line, "/") {
			continue // of packages
		}
		if symbols, _, _ = strings.Cut(symbols, " | "); token.IsExported(symbols) || symbols[0] == '*' {
			continue
		}
		t.Errorf("docs/compatibility.md lists an unexported symbol: %s", line)
	}
}
