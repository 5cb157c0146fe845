package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// maxShown is the number of directories with removed files that a summary lists.
const maxShown = 3

// summary describes on one line what a run did, or would do: the number of files written,
// unchanged and removed, and the directories of the removed files.
func summary(report *generators.Report) string {
	var folders []string
	for _, c := range report.Changes {
		if c.Op == generators.Remove {
			folders = append(folders, filepath.ToSlash(filepath.Dir(shown(c.Path))))
		}
	}
	n := count(report)
	text := fmt.Sprintf("%s written, %d unchanged, %d removed", files(n.written), n.unchanged, n.removed)
	folders = highest(folders)
	if len(folders) == 0 {
		return text
	}
	text += " from " + strings.Join(folders[:min(maxShown, len(folders))], ", ")
	if more := len(folders) - maxShown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// highest returns the directories, sorted, without those below another.
func highest(folders []string) []string {
	slices.Sort(folders)
	var top []string
	for _, folder := range folders {
		if !slices.ContainsFunc(top, func(above string) bool { return isBelow(folder, above) }) {
			top = append(top, folder)
		}
	}
	return top
}

func isBelow(folder, above string) bool {
	return folder == above || strings.HasPrefix(folder, path.Clean(above)+"/")
}
