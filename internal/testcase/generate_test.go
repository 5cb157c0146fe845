package testcase_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"
)

// find returns the case of a name.
func find(t *testing.T, name string) testcase.Case {
	t.Helper()
	cases, err := testcase.All(golden.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no case %s", name)
	return testcase.Case{}
}

func TestGenerate(t *testing.T) {
	out, err := find(t, "expansions").Generate(t.Context(), testcase.ClientGo, golden.Root(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"clientset/versioned/clientset.go", "listers/harbour/v1/boat.go", "informers/externalversions/factory.go"} {
		if text := string(out.Emitted[name]); !strings.Contains(text, "Copyright The listwatch Authors") {
			t.Errorf("%s is %q", name, text)
		}
	}
	beside := []string{
		"clientset/versioned/scheme/register_custom.go", "clientset/versioned/typed/harbour/v1/boat_expansion.go",
		"clientset/versioned/typed/harbour/v1/fake/fake_boat_expansion.go", "listers/harbour/v1/boat_expansion.go", "listers/harbour/v1/buoy_expansion.go",
	}
	if got := slices.Sorted(maps.Keys(out.Beside)); !slices.Equal(got, beside) {
		t.Errorf("beside: %q", got)
	}
	if text := string(out.Emitted["clientset/versioned/scheme/register.go"]); !strings.Contains(text, "ExtraAddToScheme,") {
		t.Errorf("hand-written files were not seen:\n%s", text)
	}
	if len(out.Warnings) > 0 {
		t.Errorf("warnings: %q", out.Warnings)
	}
}

func TestGenerateWarns(t *testing.T) {
	out, err := find(t, "embedded").Generate(t.Context(), testcase.ClientGo, golden.Root(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []testcase.Tool{testcase.Clientset, testcase.Lister, testcase.Informer} {
		if list := out.Warnings[tool]; len(list) != 1 || !strings.HasPrefix(list[0], "puppets/v1/types.go:13:6: warning: ") {
			t.Errorf("%s: %q", tool, list)
		}
	}
}

func TestGenerateFails(t *testing.T) {
	cases, err := testcase.All(root(t, "ours lister --no-such-flag"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cases[0].Generate(t.Context(), testcase.Listwatch, golden.Root(t), t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "gen-") {
		t.Errorf("got %v", err)
	}
}

func TestGolden(t *testing.T) {
	emitted, beside, err := testcase.Golden(filepath.Join(golden.Root(t), "golden", "no-such-case"))
	if len(emitted)+len(beside) > 0 || err != nil {
		t.Errorf("got %v, %v, %v", emitted, beside, err)
	}
}
