package cli

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/model"
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
	text := fmt.Sprintf("%s written, %d unchanged, %d removed", quantity(n.written, "file"), n.unchanged, n.removed)
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

// contents are what a run read, as far as something is generated for it.
type contents struct {
	kinds         int // with clients
	copies        int // types with deepcopy functions
	registrations int // packages
	crds          int
	permissions   int // markers
	webhooks      int
}

// read counts what a model contains.
func read(api *model.API) contents {
	var c contents
	if api == nil {
		return c
	}
	for _, v := range api.Versions() {
		c.kinds += len(v.Kinds)
	}
	for _, p := range api.Packages {
		if !p.Module.Main {
			continue // nothing is written into dependencies
		}
		if p.Copies != nil {
			c.copies += len(p.Copies.Types)
		}
		if p.Register != nil {
			c.registrations++
		}
		c.crds += len(p.CRDs)
	}
	for _, m := range api.Manifests {
		if m.Module.Main {
			c.permissions += len(m.Permissions)
			c.webhooks += len(m.Webhooks)
		}
	}
	return c
}

// String describes the parts that there are.
func (c contents) String() string {
	var parts []string
	for _, part := range []struct {
		n           int
		what, thing string
	}{
		{c.kinds, "clients of ", "kind"},
		{c.copies, "deepcopy of ", "type"},
		{c.registrations, "registration of ", "package"},
		{c.crds, "", "CRD"},
		{c.permissions, "roles of ", "permission"},
		{c.webhooks, "", "webhook"},
	} {
		if part.n > 0 {
			parts = append(parts, part.what+quantity(part.n, part.thing))
		}
	}
	return strings.Join(parts, ", ")
}

// quantity returns a number of things.
func quantity(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
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
