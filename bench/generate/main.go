// Generate measures what it costs to make clientsets, listers and informers:
// with code-generator's three tools, with our three, and with gen-all, which
// does the work of all three in one go. It prints a table in Markdown, and with
// -write puts it into docs/benchmarks.md.
//
// Usage, in the folder bench:
//
//	go run ./generate [-rounds n] [-write]
//
// There are two inputs, modules under testdata: kubernetes pins k8s.io/api, of
// which code-generator makes k8s.io/client-go; crd is a project with one custom
// resource. For each input every contender runs once a round, one after the
// other, with the same options, in an empty output folder; gen-all runs again
// on top of what it has just written. One round comes first that is not
// measured. What is measured is the whole tree of processes of each tool, as
// package measure says; building the tools is not.
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
