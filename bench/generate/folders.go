package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// folders are the directories of the benchmark.
type folders struct {
	// bench is the directory of the benchmarks' module, in the root module's directory.
	bench string
}

func findFolders(ctx context.Context) (folders, error) {
	dir, err := goCommand(ctx, "", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return folders{}, err
	}
	f := folders{bench: dir}
	if _, err := os.Stat(f.inputs()); err != nil {
		return folders{}, fmt.Errorf("not in the module of the benchmarks: %w", err)
	}
	return f, nil
}

// root is the generators' module.
func (f folders) root() string { return filepath.Dir(f.bench) }

// document is the page with the results.
func (f folders) document() string { return filepath.Join(f.root(), "docs", "benchmarks.md") }

// pictures contains the pictures in the page.
func (f folders) pictures() string { return filepath.Join(filepath.Dir(f.document()), "growth") }

// programs contains the binaries, ours and theirs.
func (f folders) programs() string { return filepath.Join(f.bench, ".work", "bin") }

// inputs contains the files of the module of each input, and the requirements of all: module.mod and module.sum.
func (f folders) inputs() string { return filepath.Join(f.bench, "generate", "testdata") }

// source is the module of an input.
func (f folders) source(in input) string {
	if in.from != "" {
		return in.from
	}
	return filepath.Join(f.bench, ".work", "given", in.module)
}

// write writes the modules of inputs in testdata.
func (f folders) write(inputs []input) error {
	for _, in := range inputs {
		dir := f.source(in)
		if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(filepath.Join(f.inputs(), in.module)))); err != nil {
			return err
		}
		if err := f.require(dir, in.module); err != nil {
			return err
		}
	}
	return nil
}

// require makes dir the module example.com/name.
func (f folders) require(dir, name string) error {
	requirements, err := os.ReadFile(filepath.Join(f.inputs(), "module.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(f.inputs(), "module.sum"))
	if err != nil {
		return err
	}
	text := strings.Replace(string(requirements), "example.com/module", "example.com/"+name, 1)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666),
		os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666),
	)
}

// dir is the directory in which the contenders for an input run: its module, or a copy of it.
func (f folders) dir(in input) string {
	if in.patterns == "" {
		return f.source(in)
	}
	return filepath.Join(f.bench, ".work", "in", in.module)
}

// output is the output directory of all contenders for an input.
func (f folders) output(in input) string {
	if in.patterns == "" {
		return filepath.Join(f.bench, ".work", "out", in.module)
	}
	return filepath.Join(f.dir(in), "pkg", "generated")
}

// empty removes the output for an input.
func (f folders) empty(in input) error {
	if in.patterns == "" {
		return errors.Join(os.RemoveAll(f.output(in)), os.MkdirAll(f.output(in), 0o777))
	}
	return errors.Join(os.RemoveAll(f.dir(in)), os.CopyFS(f.dir(in), os.DirFS(f.source(in))))
}

// size returns the number of generated files for an input, and of their bytes.
func (f folders) size(in input) (files int, bytes int64, err error) {
	if in.patterns == "" {
		return measure.Size(f.output(in))
	}
	if files, bytes, err = measure.Size(f.dir(in)); err != nil {
		return 0, 0, err
	}
	given, givenBytes, err := measure.Size(f.source(in))
	return files - given, bytes - givenBytes, err
}

// goCommand runs the go command in a directory and returns its output.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	var failure strings.Builder
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), noWorkspace)
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, failure.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// noWorkspace ignores a developer's go.work in builds and measurements.
const noWorkspace = "GOWORK=off"
