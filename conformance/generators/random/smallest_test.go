package random_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/random"
)

// smallest removes parts of an example as long as the rest has a difference of the same kind, known or not as before.
// It returns the rest, and the text of its difference.
func smallest(t testing.TB, e random.Example, d difference, compare comparison) (random.Example, string) {
	t.Helper()
	// differ returns those of the tries that differ in the same way.
	differ := func(tries []map[string]string) (found []int, texts []string) {
		list := make([]random.Example, len(tries))
		for i, files := range tries {
			list[i] = e
			list[i].Name, list[i].Number, list[i].Files = fmt.Sprintf("e%d", i), uint64(i), map[string]string{}
			names := strings.NewReplacer(fmt.Sprintf("g%d.", e.Number), fmt.Sprintf("g%d.", i), "/"+e.Name+"/", "/"+list[i].Name+"/")
			for name, text := range files {
				list[i].Files[name] = names.Replace(text)
			}
		}
		m := write(quiet{t}, list)
		diffs := compare(quiet{t}, m)
		for i, e := range list {
			if got, ok := diffs[e.Name]; ok && got.kind == d.kind && isKnown(got) == isKnown(d) {
				found, texts = append(found, i), append(texts, got.text)
			}
		}
		return found, texts
	}
	for size := 1 << 8; size > 0; {
		parts := pieces(e.Files, size)
		var tries []map[string]string
		for _, p := range parts {
			tries = append(tries, without(e.Files, p))
		}
		removable, _ := differ(tries)
		// Try to remove all of them, then the first half, and so on.
		tries = nil
		for n := len(removable); n > 0; n /= 2 {
			var all []piece
			for _, i := range removable[:n] {
				all = append(all, parts[i])
			}
			tries = append(tries, without(e.Files, all...))
		}
		if found, texts := differ(tries); len(found) > 0 {
			e.Files, d.text = tries[found[0]], texts[0]
			continue
		}
		size /= 4
	}
	return e, d.text
}

// piece is a run of lines of a file.
type piece struct {
	file     string
	from, to int
}

// pieces divides the files into pieces of a number of lines.
func pieces(files map[string]string, size int) []piece {
	var list []piece
	for _, name := range slices.Sorted(maps.Keys(files)) {
		n := strings.Count(files[name], "\n")
		for from := 0; from < n; from += size {
			list = append(list, piece{name, from, min(from+size, n)})
		}
	}
	return list
}

// without returns files without pieces, which are sorted; files of which nothing is left are missing.
func without(files map[string]string, pieces ...piece) map[string]string {
	files = maps.Clone(files)
	for _, p := range slices.Backward(pieces) {
		lines := strings.SplitAfter(files[p.file], "\n")
		files[p.file] = strings.Join(slices.Delete(lines, p.from, p.to), "")
		if files[p.file] == "" {
			delete(files, p.file)
		}
	}
	return files
}

// quiet is a test that does not log, and does not fail if few examples compile.
type quiet struct{ testing.TB }

func (quiet) Logf(string, ...any)   {}
func (quiet) Errorf(string, ...any) {}
