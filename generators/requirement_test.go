package generators

import (
	"os"
	"testing"

	"golang.org/x/mod/modfile"
)

// Generated code needs what the runtime requires.
func TestRequirements(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	need := requirements[Listwatch][0]
	for _, required := range mod.Require {
		if required.Mod.Path == need.module {
			if required.Mod.Version != need.oldest {
				t.Errorf("the runtime requires %s %s, and requirements say %s", need.module, required.Mod.Version, need.oldest)
			}
			return
		}
	}
	t.Errorf("the runtime does not require %s", need.module)
}
