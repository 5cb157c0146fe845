// Package release turns the tree into the modules that users download.
package release

import (
	"bytes"
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

// Older are the directories of the modules that are also released for older minor versions of Kubernetes: those that
// are generated from its types.
var Older = []string{"client-go", "kubernetes"}

// OlderVersion returns the version of a release's modules for a version of the Kubernetes libraries: v0.1.0-kube0.34 of
// v0.1.0 for v0.34.13. It comes before that of the others, so that only those get it who ask for it.
func OlderVersion(version, kubernetes string) string {
	return version + "-kube" + strings.TrimPrefix(semver.MajorMinor(kubernetes), "v")
}

// OlderTags makes the [Older] modules of a copy of the tree, generated for a version of the Kubernetes libraries,
// require each other in their version, removes their replacements, and returns the tags that they need.
func OlderTags(root, version, kubernetes string) ([]string, error) {
	if semver.Prerelease(version) != "" {
		return nil, fmt.Errorf("%s is a candidate; only releases have modules for older Kubernetes libraries", version)
	}
	older := OlderVersion(version, kubernetes)
	var tags []string
	for _, dir := range Older {
		err := edit(filepath.Join(root, dir, "go.mod"), func(file *modfile.File) error {
			for _, r := range file.Require {
				if slices.Contains(Older, strings.TrimPrefix(r.Mod.Path, Root+"/")) {
					if err := file.AddRequire(r.Mod.Path, older); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		tags = append(tags, path.Join(dir, older))
	}
	return tags, unreplace(root, Older)
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
		return edit(name, func(file *modfile.File) error {
			for _, r := range file.Require {
				if ours(r.Mod.Path) {
					if err := file.AddRequire(r.Mod.Path, version); err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// Unreplace removes the replacements of the published modules, because "go run PACKAGE@VERSION" rejects a
// module that has some. What they replace must be required at a version that users can download.
func Unreplace(root string) error { return unreplace(root, Published) }

func unreplace(root string, dirs []string) error {
	for _, dir := range dirs {
		err := edit(filepath.Join(root, dir, "go.mod"), func(file *modfile.File) error {
			for _, r := range slices.Clone(file.Replace) {
				if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// edit changes a go.mod; the file stays as it is if nothing changes.
func edit(name string, change func(*modfile.File) error) error {
	file, err := parse(name)
	if err != nil {
		return err
	}
	before := modfile.Format(file.Syntax)
	if err = change(file); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	file.Cleanup()
	text := modfile.Format(file.Syntax)
	if bytes.Equal(before, text) {
		return nil
	}
	return os.WriteFile(name, text, 0o644)
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
