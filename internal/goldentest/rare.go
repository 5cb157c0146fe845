package goldentest

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// rare returns the files that show what the kept trees do not: by case, those that execute a branch
// that neither a kept file nor one before them executes. The cases are sorted, and the files within a
// case too. missed are the branches that no file executes.
func rare(results map[string]*result) (files map[string][]string, missed []string) {
	all, shown := places{}, places{}
	for _, r := range results {
		maps.Copy(all, r.all)
		for name, executed := range r.files {
			if r.kept[name] {
				maps.Copy(shown, executed)
			}
		}
	}
	files = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		r := results[name]
		for _, file := range slices.Sorted(maps.Keys(r.files)) {
			if len(r.files[file].without(shown)) > 0 {
				files[name] = append(files[name], file)
				maps.Copy(shown, r.files[file])
			}
		}
	}
	return files, all.without(shown)
}

// compareRare compares the rare files with rare/CASE.txt, and fails for branches that no case executes.
func compareRare(t *testing.T, results map[string]*result) {
	t.Helper()
	files, missed := rare(results)
	for name, list := range files {
		var text bytes.Buffer
		for _, file := range list {
			text.WriteString("-- " + file + " --\n")
			text.Write(results[name].emitted[file])
		}
		golden.File(t, filepath.Join("rare", name+".txt"), text.String())
	}
	checkLeftovers(t, "rare", slices.Collect(maps.Keys(files)))
	reportMissed(t, missed)
}
