package testcase_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/testcase"
)

// root creates a repository with a case named one.
func root(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	folder := filepath.Join(dir, "testdata", "apis", "one")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "case.txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRead(t *testing.T) {
	type facts struct {
		Clientset, Lister, Informer []string // our flags
		Upstream                    []string // code-generator's for the clientset
		Rejected, Differs           string
	}
	for _, c := range []struct {
		name string
		give string
		want facts
	}{
		{name: "nothing"},
		{name: "comments and blank lines", give: "# clientset --a\n\n  \t\n   # all --b\n"},
		{
			name: "a tool each", give: "clientset --a\nlister --b=1 --c\ninformer --d",
			want: facts{Clientset: []string{"--a"}, Lister: []string{"--b=1", "--c"}, Informer: []string{"--d"}, Upstream: []string{"--a"}},
		},
		{
			name: "all, in the order of the lines", give: "all --x\nclientset --a\nall --y --z\n",
			want: facts{
				Clientset: []string{"--x", "--a", "--y", "--z"}, Lister: []string{"--x", "--y", "--z"}, Informer: []string{"--x", "--y", "--z"},
				Upstream: []string{"--x", "--a", "--y", "--z"},
			},
		},
		{
			name: "ours, behind the others", give: "ours all --o\nours clientset --p\nclientset --a\n",
			want: facts{Clientset: []string{"--a", "--o", "--p"}, Lister: []string{"--o"}, Informer: []string{"--o"}, Upstream: []string{"--a"}},
		},
		{
			name: "white space", give: "\tclientset  --a \t --b\r\n",
			want: facts{Clientset: []string{"--a", "--b"}, Upstream: []string{"--a", "--b"}},
		},
		{
			name: "variables", give: "clientset --input-base=${PKG} --apply=${GOLDEN}/apply,${PKG}\n",
			want: facts{
				Clientset: []string{
					"--input-base=github.com/listwatch/listwatch/testdata/apis/one",
					"--apply=github.com/listwatch/listwatch/golden/client-go/one/apply,github.com/listwatch/listwatch/testdata/apis/one",
				},
				Upstream: []string{
					"--input-base=github.com/listwatch/listwatch/testdata/apis/one",
					"--apply=github.com/listwatch/listwatch/golden/client-go/one/apply,github.com/listwatch/listwatch/testdata/apis/one",
				},
			},
		},
		{
			name: "reasons", give: "rejected:  it panics \nall --a\ndiffers: one: two\n",
			want: facts{
				Clientset: []string{"--a"}, Lister: []string{"--a"}, Informer: []string{"--a"}, Upstream: []string{"--a"},
				Rejected: "it panics", Differs: "one: two",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := root(t, c.give)
			cases, err := testcase.All(dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(cases) != 1 || cases[0].Name != "one" || cases[0].Dir != filepath.Join(dir, "testdata", "apis", "one") {
				t.Fatalf("got %+v", cases)
			}
			got := cases[0]
			found := facts{
				got.Flags(testcase.Clientset, testcase.ClientGo), got.Flags(testcase.Lister, testcase.ClientGo), got.Flags(testcase.Informer, testcase.ClientGo),
				got.UpstreamFlags(testcase.Clientset), got.Rejected, got.Differs,
			}
			if d := cmp.Diff(c.want, found, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFlavours checks that each flavour has its own expected output.
func TestFlavours(t *testing.T) {
	cases, err := testcase.All(root(t, "clientset --apply=${GOLDEN}/apply"))
	if err != nil {
		t.Fatal(err)
	}
	for flavour, want := range map[testcase.Flavour]string{
		testcase.Listwatch: "golden/one",
		testcase.ClientGo:  "golden/client-go/one",
	} {
		flags := []string{"--apply=github.com/listwatch/listwatch/" + want + "/apply"}
		if d := cmp.Diff(flags, cases[0].Flags(testcase.Clientset, flavour)); d != "" {
			t.Errorf("%s: %s", flavour, d)
		}
		if got := cases[0].Folder(flavour); got != want {
			t.Errorf("%s: %s", flavour, got)
		}
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"unknown tool", "all --a\n\ndeepcopy --b\n", `case.txt:3: unknown tool "deepcopy"`},
		{"unknown tool of ours", "ours deepcopy --b\n", `case.txt:1: unknown tool "deepcopy"`},
		{"no tool of ours", "# x\nours\n", "case.txt:2: no tool named"},
		{"flag without a tool", "--a\n", `case.txt:1: unknown tool "--a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cases, err := testcase.All(root(t, c.give))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v, want %s", cases, err, c.want)
			}
		})
	}
	t.Run("no case.txt", func(t *testing.T) {
		dir := root(t, "")
		if err := os.Mkdir(filepath.Join(dir, "testdata", "apis", "two"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := testcase.All(dir); !os.IsNotExist(err) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no cases", func(t *testing.T) {
		if _, err := testcase.All(t.TempDir()); !os.IsNotExist(err) {
			t.Errorf("got %v", err)
		}
	})
}

// TestFlagsAreCopies checks that appending to flags does not change them for others.
func TestFlagsAreCopies(t *testing.T) {
	cases, err := testcase.All(root(t, "all --a --b --c\nours all --d\n"))
	if err != nil {
		t.Fatal(err)
	}
	ours := func(tool testcase.Tool) []string { return cases[0].Flags(tool, testcase.Listwatch) }
	for _, flags := range []func(testcase.Tool) []string{ours, cases[0].UpstreamFlags} {
		want := flags(testcase.Lister)
		_ = append(flags(testcase.Lister)[:1], "--x", "--y", "--z")
		if d := cmp.Diff(want, flags(testcase.Lister)); d != "" {
			t.Error(d)
		}
	}
}

// TestAll reads the cases of this repository.
func TestAll(t *testing.T) {
	cases, err := testcase.All(golden.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.Name)
		if c.Pkg() != testcase.Module+"/testdata/apis/"+c.Name {
			t.Errorf("%s: package %s", c.Name, c.Pkg())
		}
		if _, err := os.Stat(filepath.Join(c.Dir, "case.txt")); err != nil || !filepath.IsAbs(c.Dir) {
			t.Errorf("%s: directory %s, %v", c.Name, c.Dir, err)
		}
	}
	if !slices.IsSorted(names) || !slices.Contains(names, "one-group") {
		t.Errorf("cases: %v", names)
	}
}
