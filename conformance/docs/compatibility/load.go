package compatibility

import (
	"errors"
	"fmt"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/migration"
)

// Load describes both sides of the pairs by import path. The module around dir requires both
// sides. The version is client-go's.
func Load(dir string, pairs []migration.Pair) (apis map[string]goapi.API, version string, err error) {
	var paths []string
	for _, p := range pairs {
		paths = append(paths, p.TheirPath())
		paths = append(paths, p.OurPaths()...)
	}
	return load(dir, paths)
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
		if pkg.Module != nil && pkg.Module.Path+"/" == migration.ClientGo {
			version = pkg.Module.Version
		}
	}
	return apis, version, err
}
