package compatibility

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/conformance/identity/goapi"
)

// Load describes both sides of the pairs, as far as ours exists, by import path. The
// module around dir requires both sides; root is the directory of the root module. The
// version is client-go's.
func Load(dir, root string, pairs []Pair) (apis map[string]goapi.API, version string, err error) {
	var paths []string
	for _, p := range pairs {
		if exists(root, p) {
			paths = append(paths, p.theirPath())
			paths = append(paths, p.ourPaths()...)
		}
	}
	return load(dir, paths)
}

// exists reports whether all of our directories contain Go files.
func exists(root string, p Pair) bool {
	for _, path := range p.Ours {
		files, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil || !slices.ContainsFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" }) {
			return false
		}
	}
	return true
}

// load describes packages, from what the compiler exports of them.
func load(dir string, paths []string) (apis map[string]goapi.API, version string, err error) {
	loaded, err := packages.Load(&packages.Config{
		Dir:  dir,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile | packages.NeedModule,
	}, paths...)
	if err != nil {
		return nil, "", err
	}
	apis = map[string]goapi.API{}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			err = errors.Join(err, fmt.Errorf("load %s: %w", pkg.PkgPath, pkg.Errors[0]))
		}
		if pkg.Types != nil {
			apis[pkg.PkgPath] = goapi.Of(pkg.Types)
		}
		if pkg.Module != nil && pkg.Module.Path+"/" == clientGo {
			version = pkg.Module.Version
		}
	}
	return apis, version, err
}
