package aliases_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/replace/aliases"
	"github.com/listwatch/listwatch/internal/golden"
)

const module = "../../../../client-go"

var load = sync.OnceValues(func() (*aliases.Set, error) { return aliases.Load(".", module) })

// The files of the module are what the types of both sides make them.
func TestAliases(t *testing.T) {
	set, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range set.Packages {
		text, missing, err := set.Text(p)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range missing {
			if find(aliases.Missing, p.Path, name) >= 0 {
				continue
			}
			t.Errorf("%s.%s: missing; declare it beside the aliases, or in one of %v", p.Path, name, p.Ours)
		}
		if text != "" {
			golden.File(t, filepath.Join(module, filepath.FromSlash(p.Path), "aliases.go"), text)
		}
	}
}
