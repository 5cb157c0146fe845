// Package release turns the tree into the modules that users download.
package release

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Root is the path of the root module; others have their directory after it.
const Root = "github.com/listwatch/listwatch"

// Published are the directories of the modules that users can require.
var Published = []string{".", "apitest", "client-go", "clientgo", "controllerruntime", "examples", "generators/analyzer/golangci", "kubernetes", "metrics/prometheus", "streaming"}

// replaces has the directories of modules that replace others. A replacement declares the path that it
// replaces, but users write its own into go.mod, as of all others.
var replaces = map[string]string{"client-go": "k8s.io/client-go"}

// Tags returns the tags of a version, one for each published module.
func Tags(version string) []string {
	var tags []string
	for _, dir := range Published {
		tags = append(tags, path.Join(dir, version))
	}
	return tags
}

// Check returns why the tree below root cannot be released as version, or nil.
func Check(root, version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("invalid version %q; want vMAJOR.MINOR.PATCH", version)
	}
	var errs []error
	asserted := "IsAtLeast" + strings.ReplaceAll(strings.TrimPrefix(semver.MajorMinor(version), "v"), ".", "_")
	if text, err := os.ReadFile(filepath.Join(root, "runtime/version/version.go")); err != nil {
		errs = append(errs, err)
	} else if !strings.Contains(string(text), asserted) {
		errs = append(errs, fmt.Errorf("runtime/version has no constant %s; declare it", asserted))
	}
	for _, dir := range Published {
		errs = append(errs, checkModule(root, dir))
	}
	return errors.Join(errs...)
}

// checkModule checks a module. Users download it without its replacements, so these may only refer to
// published modules of the same commit, and the root must have none at any commit.
func checkModule(root, dir string) error {
	file, err := parse(filepath.Join(root, dir, "go.mod"))
	if err != nil {
		return err
	}
	published := map[string]string{}
	for _, dir := range Published {
		published[path.Join(Root, dir)] = dir
	}
	var errs []error
	want, ok := replaces[dir]
	if !ok {
		want = path.Join(Root, dir)
	}
	if file.Module.Mod.Path != want {
		errs = append(errs, fmt.Errorf("module path is %s, want %s", file.Module.Mod.Path, want))
	}
	for _, r := range file.Replace {
		at, ok := published[r.Old.Path]
		if dir == "." || !ok || path.Join(dir, r.New.Path) != at {
			errs = append(errs, fmt.Errorf("users do without replace %s => %s; remove it", r.Old.Path, r.New.Path))
		}
	}
	for _, r := range file.Require {
		if _, ok := published[r.Mod.Path]; !ok && ours(r.Mod.Path) {
			errs = append(errs, fmt.Errorf("requires %s, which is not published", r.Mod.Path))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", path.Join(dir, "go.mod"), err)
	}
	return nil
}

// Require makes every module below root require the others at version.
func Require(root, version string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.Name() != "go.mod" {
			return nil
		}
		file, err := parse(name)
		if err != nil {
			return err
		}
		changed := false
		for _, r := range file.Require {
			if ours(r.Mod.Path) && r.Mod.Version != version {
				changed = true
				if err = file.AddRequire(r.Mod.Path, version); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
		if !changed {
			return nil
		}
		text, err := file.Format()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return os.WriteFile(name, text, 0o644)
	})
}

// Unreplace removes the replacements of the published modules, because "go run PACKAGE@VERSION" rejects a
// module that has some. What they replace must be required at a version that users can download.
func Unreplace(root string) error {
	for _, dir := range Published {
		name := filepath.Join(root, dir, "go.mod")
		file, err := parse(name)
		if err != nil {
			return err
		}
		if len(file.Replace) == 0 {
			continue
		}
		for _, r := range slices.Clone(file.Replace) {
			if err = file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		file.Cleanup()
		text, err := file.Format()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Changelog returns a changelog in which the unreleased changes belong to a version and date, and
// nothing is unreleased.
func Changelog(text, version, date string) (string, error) {
	const unreleased = "\n## Unreleased\n"
	if strings.Contains(text, "\n## "+version+" ") {
		return "", fmt.Errorf("CHANGELOG.md has %s already", version)
	}
	before, after, ok := strings.Cut(text, unreleased)
	if !ok || !strings.HasPrefix(strings.TrimSpace(after), "###") {
		return "", errors.New("CHANGELOG.md has nothing below ## Unreleased")
	}
	return before + unreleased + "\n## " + version + " - " + date + "\n" + after, nil
}

func ours(module string) bool { return module == Root || strings.HasPrefix(module, Root+"/") }

func parse(name string) (*modfile.File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, nil)
}
