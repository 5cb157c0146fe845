package migration

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/internal/migration/source"
)

// ErrUnresolved reports that the types of libraries cannot be loaded.
var ErrUnresolved = errors.New("without the types of libraries it is unknown which imports have to stay")

// analyze returns what stays in the files of one module, which is in root. It is nil if the types cannot be known, but the files
// import only packages that have none of client-go.
func analyze(ctx context.Context, root string, paths []string, progress source.Progress) (*Kept, error) {
	if !slices.ContainsFunc(paths, usesClientGo) {
		return nil, nil
	}
	line := hasLine(root)
	program, extra, err := load(ctx, root, paths, progress)
	switch {
	case err == nil:
		return keep(program, extra, paths, line), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case line || len(foreignImports(root, paths)) == 0:
		return nil, nil
	}
	return nil, fmt.Errorf("%w; %w: run go mod tidy first, or listwatch-migrate --replace", err, ErrUnresolved)
}

// load type-checks the packages of files, and files of no package separately. It is an error if an import cannot be loaded.
func load(ctx context.Context, root string, paths []string, progress source.Progress) (*source.Program, []*source.Package, error) {
	if root == "" {
		return nil, nil, errors.New("no go.mod is around the files")
	}
	var patterns []string
	for _, path := range paths {
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return nil, nil, err
		}
		patterns = append(patterns, "./"+filepath.ToSlash(rel))
	}
	slices.Sort(patterns)
	program, err := source.Load(ctx, root, slices.Compact(patterns), progress)
	if err != nil {
		return nil, nil, err
	}
	extra, err := program.Extend(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	return program, extra, unresolved(program, root)
}

// usesClientGo reports whether the file imports client-go. One that cannot be read does not.
func usesClientGo(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && bytes.Contains(text, []byte(ClientGo))
}

// unresolved returns why an import of the initial packages cannot be loaded. Code of the module itself may be missing.
func unresolved(program *source.Program, root string) error {
	own := ownPath(root)
	found := map[string]string{}
	for _, pkg := range program.Initial() {
		for path, listed := range pkg.Imports {
			if path == "C" || path == "unsafe" || below(path, own) || program.Packages[listed.ID].Types() != nil {
				continue
			}
			found[path] = "no Go files"
			for _, e := range listed.Errors {
				found[path] = strings.TrimSpace(e.Msg)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		return fmt.Errorf("cannot load %s: %s", path, found[path])
	}
	return nil
}

// ownPath is the path of the module in a directory.
func ownPath(root string) string {
	if _, mod := moduleOf(root); mod != nil && mod.Module != nil {
		return mod.Module.Mod.Path
	}
	return ""
}

func below(path, top string) bool {
	return top != "" && (path == top || strings.HasPrefix(path, top+"/"))
}

// harmless reports whether a package is of a module without types of client-go in its API, except for client-go.
func harmless(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || below(path, strings.TrimSuffix(Module, "/")) ||
		slices.ContainsFunc([]string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/klog", "k8s.io/utils"}, func(top string) bool {
			return below(path, top)
		})
}

// foreignImports returns the imports of files that are neither harmless nor of their module.
func foreignImports(root string, paths []string) []string {
	own := ownPath(root)
	found := map[string]bool{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			continue // it is a finding already
		}
		for _, spec := range file.Imports {
			if path, _, _ := pathOf(spec); !harmless(path) && !below(path, own) {
				found[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// stays returns a finding for each package of client-go that stays, at its first import of those given.
func (k *Kept) stays(imports map[string][]token.Position) []Finding {
	if k == nil {
		return nil
	}
	var all []Finding
	for _, theirs := range slices.Sorted(maps.Keys(k.reasons)) {
		reason, places := k.reasons[theirs], imports[theirs]
		if len(places) == 0 {
			continue
		}
		slices.SortFunc(places, comparePositions)
		message := fmt.Sprintf("%s stays in %s: %s", ClientGo+theirs, plural(len(places), "file"), reason.text)
		if reason.at.IsValid() {
			message += fmt.Sprintf(" (%s:%d)", filepath.Base(reason.at.Filename), reason.at.Line)
		}
		all = append(all, Finding{Position: places[0], After: places[0], Subject: ClientGo + theirs, Message: message})
	}
	return all
}

// importsOf adds the places where a file imports packages of client-go.
func importsOf(path string, text []byte, imports map[string][]token.Position) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ImportsOnly)
	if err != nil {
		return // it is a finding already
	}
	for _, spec := range file.Imports {
		if _, theirs, ok := pathOf(spec); ok {
			imports[theirs] = append(imports[theirs], set.PositionFor(spec.Pos(), false))
		}
	}
}
