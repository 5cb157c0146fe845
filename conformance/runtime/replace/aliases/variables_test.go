package aliases_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/replace/aliases"
)

// An alias of a variable does not exist, so for each of client-go's it is known what an assignment does.
func TestVariables(t *testing.T) {
	set, err := load()
	if err != nil {
		t.Fatal(err)
	}
	needed := make([]bool, len(aliases.Variables))
	for _, p := range set.Packages {
		for _, name := range p.Variables() {
			if strings.HasPrefix(name, "Err") || name == "SchemeBuilder" || name == "AddToScheme" || name == "SchemeGroupVersion" {
				continue
			}
			if i := find(aliases.Variables, p.Path, name); i >= 0 {
				needed[i] = true
				continue
			}
			t.Errorf("%s.%s: not in the list", p.Path, name)
		}
	}
	for i, v := range aliases.Variables {
		if !needed[i] {
			t.Errorf("%s: no variable %s: remove it from the list", v.Package, v.Symbols)
		}
	}
}
