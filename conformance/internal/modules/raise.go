package modules

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// Raise changes the go.mod of a module that was copied from the module proxy. The modules that are released with
// client-go are required in the version kubernetes, and those in versions in the versions there, as far as the module
// requires them. Replacements by directories, which the proxy lacks, and of Kubernetes' modules by other versions are
// removed.
func Raise(name, kubernetes string, versions map[string]string) error {
	return edit(name, func(file *modfile.File) error {
		var errs []error
		for _, r := range slices.Clone(file.Replace) {
			if r.New.Version == "" || released(r.New.Path, r.New.Version) {
				errs = append(errs, file.DropReplace(r.Old.Path, r.Old.Version))
			}
		}
		for _, r := range slices.Clone(file.Require) {
			if released(r.Mod.Path, r.Mod.Version) {
				errs = append(errs, file.AddRequire(r.Mod.Path, kubernetes))
			} else if version := versions[r.Mod.Path]; version != "" {
				errs = append(errs, file.AddRequire(r.Mod.Path, version))
			}
		}
		return errors.Join(errs...)
	})
}

// Replace adds replacements of modules by directories to a go.mod.
func Replace(name string, dirs map[string]string) error {
	return edit(name, func(file *modfile.File) error {
		var errs []error
		for path, dir := range dirs {
			errs = append(errs, file.AddReplace(path, "", dir, ""))
		}
		return errors.Join(errs...)
	})
}

// Pin replaces every module that the go.mod named by requires, except those below own, by the version there, so that
// modules with other dependencies share compiled packages.
func Pin(name, by, own string) error {
	text, err := os.ReadFile(by)
	if err != nil {
		return err
	}
	pins, err := modfile.ParseLax(by, text, nil)
	if err != nil {
		return err
	}
	return edit(name, func(file *modfile.File) error {
		var errs []error
		for _, r := range pins.Require {
			if r.Mod.Path != own && !strings.HasPrefix(r.Mod.Path, own+"/") {
				errs = append(errs, file.AddReplace(r.Mod.Path, "", r.Mod.Path, r.Mod.Version))
			}
		}
		return errors.Join(errs...)
	})
}

// edit changes a go.mod.
func edit(name string, change func(*modfile.File) error) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return err
	}
	if err = change(file); err != nil {
		return err
	}
	file.Cleanup()
	if text, err = file.Format(); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// released reports whether a module is released with client-go, under the same versions. Kubernetes itself requires
// them as v0.0.0.
func released(path, version string) bool {
	return strings.HasPrefix(path, "k8s.io/") && path != "k8s.io/klog" && semver.Major(version) == "v0" &&
		(version == "v0.0.0" || semver.MajorMinor(version) != "v0.0")
}
