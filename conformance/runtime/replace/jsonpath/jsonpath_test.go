package jsonpath_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// result is what the program prints of a template.
type result struct{ Printed, Error string }

// address is a pointer in an error.
var address = regexp.MustCompile(`0x[0-9a-f]+`)

// execute runs the program, built with the modules of a directory.
func execute(t *testing.T, dir string, templates []string) []result {
	t.Helper()
	program, err := filepath.Abs("testdata/execute/main.go")
	if err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(templates)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", program)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	cmd.Stdin = bytes.NewReader(input)
	var output, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &errors
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	var results []result
	if err := json.Unmarshal(address.ReplaceAll(output.Bytes(), []byte("0x")), &results); err != nil {
		t.Fatal(err)
	}
	return results
}

// pieces make templates that often are valid.
var pieces = []string{
	"{", "}", "{.", "{range .", "{end}", "}{", ".a", ".b", ".c", ".kind", ".name", "..name", "..*", ".*", "..", ".", "$", "@",
	"[0]", "[1]", "[-1]", "[*]", "[0:2]", "[:1]", "[1:]", "[::2]", "[0,1]", "['a']", "['a','name']", "[5]", "[", "]",
	`[?(@.name=="a")]`, `[?(@.grams>150)]`, `[?(@.kind!='Pear')]`, "[?(@.next)]", "[?(@==2)]", "[?(", ")]", `[?(@.name==@.kind)]`,
	".grams", ".tags", ".notes", `.notes.a\.b`, ".next", "text", " ", `"q"`, `'s'`, `"\n"`, "1", "-2", "1.5", "true", "false", "}{range .b[*]}",
	"\n", "é", `\`, "'", `"`, ",", "*", "x",
}

// random returns a template of a few pieces; most have actions.
func random(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(3) {
		if r.IntN(8) > 0 {
			b.WriteString("{")
		}
		if r.IntN(4) == 0 {
			b.WriteString("range ")
		}
		for range r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if r.IntN(8) > 0 {
			b.WriteString("}")
		}
	}
	if r.IntN(3) == 0 {
		b.WriteString("{end}")
	}
	return b.String()
}

// Every template prints the same, or fails on both sides with the same text.
func TestSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	templates := []string{
		"", "text", "{.a}", "{.b[*].name}", "{..name}", "{range .b[*]}{.name}{range .tags[*]}<{@}>{end}{end}",
		"{range end}", "{range .c[*]}{.name}{end}.", `{.b[?(@.name=="a")].grams}`, "{.kind.b[0,-1]}", "{.b[0]['name','kind']}", "{.kind}",
	}
	for range 20_000 {
		templates = append(templates, random(r))
	}
	theirs := execute(t, ".", templates)
	ours := execute(t, filepath.FromSlash("../../../../client-go"), templates)
	printed, differences := 0, 0
	for i, text := range templates {
		if theirs[i].Error == "" {
			printed++
		}
		if theirs[i].Error == "panic" || ours[i] == theirs[i] {
			continue
		}
		if differences++; differences <= 20 {
			t.Errorf("%q:\n\ttheirs %+v\n\tours   %+v", text, theirs[i], ours[i])
		}
	}
	t.Logf("%d templates, %d of them print, %d differ", len(templates), printed, differences)
	if printed < len(templates)/10 {
		t.Error("hardly any template is valid")
	}
}
