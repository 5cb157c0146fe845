// Generate measures the cost of generating clientsets, listers and informers: with code-generator's
// three tools, with our three, and with gen-all; and of everything that a project with custom resources
// needs, with six tools of code-generator and controller-gen, and with ours. It prints a
// table in Markdown; with -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench:
//
//	go run ./generate [-rounds n] [-growth | -projects] [-write]
//
// The inputs are modules, whose files are in testdata: kubernetes requires k8s.io/api, the input of
// k8s.io/client-go; crd is a project with one custom resource, and project is such a project of which
// nothing is generated yet. All have the requirements of testdata/module.mod. In each round, every contender runs
// once for each input, one after the other, with the same options and an empty output directory;
// gen-all runs again on its own output. A warm-up round is not measured. The measurement covers the
// whole process tree of each tool, as documented in package measure, but not building the tools.
//
// With -projects, the inputs are modules of the Go module proxy, with the arguments of their scripts.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/listwatch/listwatch/bench/internal/growth"
	"github.com/listwatch/listwatch/bench/internal/report"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often to run every contender on every input")
	growing := flag.Bool("growth", false, "measure how the cost grows with the number of kinds, and of types in a file, instead of the table")
	real := flag.Bool("projects", false, "measure real projects, which are downloaded, instead of the inputs in testdata")
	write := flag.Bool("write", false, "put the result into docs/benchmarks.md")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	do, section := compare, "generators"
	switch {
	case *growing:
		do, section = compareGrowth, "generators-growth"
	case *real:
		do, section = compareProjects, "generators-projects"
	}
	err := generate(ctx, section, do, *rounds, *write, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// comparison measures, and returns the section of the document.
type comparison func(ctx context.Context, f folders, version string, rounds int, write bool, progress io.Writer) (string, error)

func generate(ctx context.Context, name string, do comparison, rounds int, write bool, out, progress io.Writer) error {
	f, err := findFolders(ctx)
	if err != nil {
		return err
	}
	if write {
		if _, err = report.FillSection(f.document(), name, ""); err != nil {
			return err
		}
	}
	version, err := goCommand(ctx, f.bench, "list", "-m", "-f", "{{.Version}}", "k8s.io/code-generator")
	if err != nil {
		return err
	}
	if err = build(ctx, f); err != nil {
		return err
	}
	text, err := do(ctx, f, version, rounds, write, progress)
	if err != nil {
		return err
	}
	if _, err = io.WriteString(out, text); err != nil || !write {
		return err
	}
	changed, err := report.FillSection(f.document(), name, text)
	if err != nil {
		return err
	}
	return os.WriteFile(f.document(), []byte(changed), 0o666)
}

// compare runs everything on the inputs.
func compare(ctx context.Context, f folders, version string, rounds int, _ bool, progress io.Writer) (string, error) {
	if err := f.write(inputs); err != nil {
		return "", err
	}
	results, err := compete(ctx, f, inputs, rounds, progress)
	return section(report.Machine(), version, rounds, results), err
}

// compareProjects runs everything on real projects.
func compareProjects(ctx context.Context, f folders, version string, rounds int, _ bool, progress io.Writer) (string, error) {
	downloaded, err := download(ctx, f, projects)
	if err != nil {
		return "", err
	}
	results, err := compete(ctx, f, downloaded, rounds, progress)
	return section(report.Machine(), version, rounds, results), err
}

// compareGrowth runs what generates everything on more and more kinds, and types.
func compareGrowth(ctx context.Context, f folders, version string, rounds int, write bool, progress io.Writer) (string, error) {
	drawn, err := grow(ctx, f, rounds, progress)
	if err != nil {
		return "", err
	}
	if write {
		if err := growth.Write(f.pictures(), drawn); err != nil {
			return "", err
		}
	}
	conditions := fmt.Sprintf("%s; code-generator %s; medians of %d rounds, one of the peers.", report.Machine(), version, rounds)
	return growth.Section(conditions, filepath.Base(f.pictures()), drawn), nil
}
