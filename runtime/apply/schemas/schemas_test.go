package schemas_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/listwatch/listwatch/runtime/apply/schemas"
)

// read returns the schemas in a file, or if it is a generated one in Go, those in its constant.
func read(t testing.TB, file string) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(file, ".go") {
		return string(source)
	}
	_, text, _ := strings.Cut(string(source), "`")
	text, _, found := strings.Cut(text, "`")
	if !found {
		t.Fatalf("%s has no schemas", file)
	}
	return text
}

// sameDefaults ignores that maps in default values have keys of type any after YAML.
var sameDefaults = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Default" }, cmp.Comparer(func(a, b any) bool {
	return fmt.Sprintf("%v", a) == fmt.Sprintf("%v", b)
}))

// TestParse compares what is parsed with what structured-merge-diff parses.
func TestParse(t *testing.T) {
	for name, file := range map[string]string{
		"every form":       "testdata/orchard.txt",
		"the built-in API": "../../../kubernetes/applyconfigurations/internal/internal.go",
	} {
		t.Run(name, func(t *testing.T) {
			text := read(t, file)
			got, err := schemas.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			want, err := typed.NewParser(typed.YAMLObject("types:\n- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n- ")))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.Schema.Types, got.Schema.Types, cmpopts.IgnoreUnexported(schema.Map{}), sameDefaults); d != "" {
				t.Errorf("(-want +got)\n%.2000s", d)
			}
		})
	}
}

func TestParseFails(t *testing.T) {
	_, err := schemas.Parse("{}\n{\"name\": 1}\n")
	if err == nil || !strings.HasPrefix(err.Error(), "schema of type 2: ") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkParse(b *testing.B) {
	text := read(b, "../../../kubernetes/applyconfigurations/internal/internal.go")
	b.Run("schemas", func(b *testing.B) {
		for b.Loop() {
			if _, err := schemas.Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("typed", func(b *testing.B) {
		yaml := typed.YAMLObject("types:\n- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n- "))
		for b.Loop() {
			if _, err := typed.NewParser(yaml); err != nil {
				b.Fatal(err)
			}
		}
	})
}
