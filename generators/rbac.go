package generators

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/manifest"
	"github.com/listwatch/listwatch/generators/model"
)

// DefaultRBACDir is the default output directory of [RBAC] in its module, and DefaultRoleFile the file in it.
const (
	DefaultRBACDir  = "config/rbac"
	DefaultRoleFile = "role.yaml"
)

// DefaultRoleName is the default name of the role that [RBAC] generates.
const DefaultRoleName = "manager-role"

// RBACOptions configure [RBAC]. OutputPkg, Runtime and HeaderFile of Options are not used. If OutputDir is empty, it is
// [DefaultRBACDir] in the module of each package.
type RBACOptions struct {
	Options
	// RoleName is the name of the role for markers without roleName; empty for the name that the generated file has
	// already, or otherwise [DefaultRoleName].
	RoleName string
	// FileName is the name of the file; empty for [DefaultRoleFile].
	FileName string
	// YAMLHeaderFile contains the text at the top of the file, in which " YEAR" is replaced by a space and Year; empty for none.
	YAMLHeaderFile, Year string
}

// run returns the options of a run that generates roles.
func (o RBACOptions) run() RunOptions {
	run := RunOptions{Options: o.Options, Permissions: true, PackagesOnly: true, Lenient: true}
	run.OutputDir, run.OutputPkg, run.HeaderFile = "", "", ""
	return run
}

// file returns the name of the file, or an error if it is not that of a file in the directory.
func (o RBACOptions) file() (string, error) {
	name := cmp.Or(o.FileName, DefaultRoleFile)
	if path.Ext(name) != ".yaml" || path.Base(name) != name {
		return "", fmt.Errorf("%w: --file-name=%s; want the name of a file in the output directory, such as %s", ErrUsage, name, DefaultRoleFile)
	}
	return name, nil
}

// RBACEmitter returns the emitter of [RBAC]. Its input must be read with Permissions of [RunOptions]. It returns an error that wraps
// [ErrUsage] if the file with the header cannot be read.
func RBACEmitter(opts RBACOptions) (Emitter, error) {
	header, err := yamlHeader(opts.Dir, opts.YAMLHeaderFile, opts.Year)
	if err != nil {
		return nil, err
	}
	file, err := opts.file()
	if err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		return manifests(in, "gen-rbac", opts.Options, DefaultRBACDir, func(m *model.Manifests, dir string) ([]File, error) {
			if len(m.Permissions) == 0 {
				return nil, nil
			}
			text, err := manifest.Roles(m.Permissions, cmp.Or(opts.RoleName, roleIn(filepath.Join(dir, file), m.Permissions), DefaultRoleName))
			return []File{{Path: file, Content: append([]byte(header), text...), Pos: m.Permissions[0].Pos}}, err
		})
	}), nil
}

// roleIn returns the name of the role in a generated file, except those that permissions name; empty if there is none.
func roleIn(name string, permissions []model.Permission) string {
	text, err := os.ReadFile(name)
	if err != nil || !manifest.Printed(text) {
		return ""
	}
	for _, role := range manifest.Names(text) {
		if !slices.ContainsFunc(permissions, func(p model.Permission) bool { return p.RoleName == role }) {
			return role
		}
	}
	return ""
}

// manifests plans a tree for each output directory, with what files returns for the manifests of its modules. Modules without manifests
// have a tree too, which removes what [All] generated earlier.
func manifests(in *Input, tool string, opts Options, defaultDir string, files func(m *model.Manifests, dir string) ([]File, error)) ([]Tree, error) {
	all := slices.Clone(in.API.Manifests)
	for _, p := range in.API.Packages {
		if p.Module.Main && !slices.ContainsFunc(all, func(m *model.Manifests) bool { return m.Module == p.Module }) {
			all = append(all, &model.Manifests{Module: p.Module})
		}
	}
	var dirs []string
	byDir := map[string]*model.Manifests{}
	for _, m := range all {
		module := m.Module
		if !module.Main {
			module.Dir = "" // nothing is written into the module cache
		}
		dir, err := manifestDir(opts.Dir, opts.OutputDir, defaultDir, module)
		if err != nil {
			return nil, err
		}
		if byDir[dir] == nil {
			dirs = append(dirs, dir)
			byDir[dir] = &model.Manifests{}
		}
		to := byDir[dir]
		to.Permissions, to.Webhooks = append(to.Permissions, m.Permissions...), append(to.Webhooks, m.Webhooks...)
		to.MutatingName, to.ValidatingName = cmp.Or(m.MutatingName, to.MutatingName), cmp.Or(m.ValidatingName, to.ValidatingName)
	}
	var trees []Tree
	for _, dir := range dirs {
		list, err := files(byDir[dir], dir)
		if err != nil {
			return nil, err
		}
		trees = append(trees, Tree{
			Tool: tool, Place: Place{Dir: dir}, Flat: true, Files: list,
			stays: func([]byte) bool { return !in.all }, same: manifest.Same, printed: manifest.Printed,
		})
	}
	return trees, nil
}
