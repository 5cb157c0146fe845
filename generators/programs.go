package generators

import (
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/program"
	"github.com/listwatch/listwatch/generators/internal/tree"
)

// A run of [All] can name some of the packages whose permissions and webhooks one file contains. It also reads the others of
// their modules.

// programs returns the packages with markers about permissions and webhooks in the modules of the run that are not of the run,
// except those that the options exclude. It looks for them if a package of the run has such markers, or an earlier run generated a file.
func (r *run) programs(e *elsewhere, opts RunOptions) []*load.Package {
	if opts.all == nil || !opts.Permissions && !opts.Webhooks {
		return nil
	}
	r.manifested = slices.ContainsFunc(modulesOf(e.sources), hasManifests)
	if !r.manifested && !slices.ContainsFunc(e.sources, func(p *load.Package) bool { return p.Module.Main && program.Mentions(p) }) {
		return nil
	}
	var list []*load.Package
	for _, d := range e.all() {
		if !program.MentionsIn(d.Text) {
			continue
		}
		if p, err := e.sources[0].Import(d.Path); err == nil && !r.excluded(p) {
			list = append(list, p)
		}
	}
	r.report.Programs = r.shownPackages(list)
	return list
}

// modulesOf returns the directories of the main modules of packages.
func modulesOf(packages []*load.Package) []string {
	var dirs []string
	for _, p := range packages {
		if p.Module.Main && !slices.Contains(dirs, p.Module.Dir) {
			dirs = append(dirs, p.Module.Dir)
		}
	}
	return dirs
}

// hasManifests reports whether an earlier run generated roles or webhooks in the default directories of a module.
func hasManifests(module string) bool {
	for tool, dir := range map[string]string{"gen-rbac": DefaultRBACDir, "gen-webhook": DefaultWebhookDir} {
		earlier := tree.Tree{Dir: filepath.Join(module, filepath.FromSlash(dir)), Mark: emit.Generated(tool), Flat: true}
		if plan, err := earlier.Plan(); err == nil && len(plan.Changes) > 0 {
			return true
		}
	}
	return false
}
