package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// programs contains the binaries, ours and theirs.
func (f folders) programs() string { return filepath.Join(f.bench, ".work", "bin") }

// inputs contains a module for each input.
func (f folders) inputs() string { return filepath.Join(f.bench, "generate", "testdata") }

// output is the output directory of all contenders for an input.
func (f folders) output(in input) string { return filepath.Join(f.bench, ".work", "out", in.module) }

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
