// Generate measures the cost of generating clientsets, listers and informers: with code-generator's
// three tools, with our three, and with gen-all; and of everything that a project with custom resources
// needs, with six tools of code-generator and controller-gen, and with ours. It prints a
// table in Markdown; with -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench:
//
//	go run ./generate [-rounds n] [-write]
//
// The inputs are modules in testdata: kubernetes requires k8s.io/api, the input of
// k8s.io/client-go; crd is a project with one custom resource, and project is such a project of which
// nothing is generated yet. In each round, every contender runs
// once for each input, one after the other, with the same options and an empty output directory;
// gen-all runs again on its own output. A warm-up round is not measured. The measurement covers the
// whole process tree of each tool, as documented in package measure, but not building the tools.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/listwatch/listwatch/bench/internal/report"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often to run every contender on every input")
	write := flag.Bool("write", false, "put the table into docs/benchmarks.md")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := generate(ctx, *rounds, *write, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, rounds int, write bool, out, progress io.Writer) error {
	f, err := findFolders(ctx)
	if err != nil {
		return err
	}
	if write {
		if _, err := report.FillSection(f.document(), "generators", ""); err != nil {
			return err
		}
	}
	version, err := goCommand(ctx, f.bench, "list", "-m", "-f", "{{.Version}}", "k8s.io/code-generator")
	if err != nil {
		return err
	}
	if err := build(ctx, f); err != nil {
		return err
	}
	results, err := compete(ctx, f, rounds, progress)
	if err != nil {
		return err
	}
	text := section(report.Machine(), version, rounds, results)
	if _, err := io.WriteString(out, text); err != nil || !write {
		return err
	}
	changed, err := report.FillSection(f.document(), "generators", text)
	if err != nil {
		return err
	}
	return os.WriteFile(f.document(), []byte(changed), 0o666)
}
