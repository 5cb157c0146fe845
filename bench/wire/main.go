// Wire measures what it costs to get typed objects off the wire: with client-go and
// with listwatch, whose clientsets for one custom resource are in folder clients. It
// prints a table in Markdown, and with -write puts it into docs/benchmarks.md.
//
// Usage, in the folder bench:
//
//	go run ./wire [-rounds n] [-works pattern] [-profiles folder] [-write]
//
// First both are made to decode the same input, and the results compared: it is an
// error if they are not equal. Then, round after round, each does every work in a
// process of its own; they take turns in being first. What goes over HTTP comes from
// a server in yet another process, which sends answers that it holds ready. A process
// measures itself, as package measure says, without its start and, for work that is
// done many times over, without the first times.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/report"
)

// document is the page that holds the results, seen from the folder bench.
var document = filepath.Join("..", "docs", "benchmarks.md")

func main() {
	if asked, err := child(); asked {
		exit(err)
	}
	rounds := flag.Int("rounds", 5, "how often each does every work")
	pattern := flag.String("works", "", "do only the work whose name matches this regular `expression`")
	profiles := flag.String("profiles", "", "leave profiles of CPU time and allocations in this `folder`; figures are of less worth then")
	write := flag.Bool("write", false, "put the table into docs/benchmarks.md")
	flag.Parse()
	chosen, err := choose(*pattern)
	if err != nil || flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	c := competition{works: chosen, rounds: *rounds, profiles: *profiles, progress: os.Stderr}
	exit(wire(c, *write, os.Stdout))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "wire:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// choose returns the works whose names match.
func choose(pattern string) ([]work, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(works), func(w work) bool { return !match.MatchString(w.name) }), nil
}

func wire(c competition, write bool, out io.Writer) error {
	if write {
		if _, err := report.FillSection(document, "wire", ""); err != nil {
			return err
		}
	}
	version, err := clientGoVersion()
	if err != nil {
		return err
	}
	results, err := c.run()
	if err != nil {
		return err
	}
	text := section(report.Machine(), version, c.rounds, results)
	if _, err := io.WriteString(out, text); err != nil || !write {
		return err
	}
	changed, err := report.FillSection(document, "wire", text)
	if err != nil {
		return err
	}
	return os.WriteFile(document, []byte(changed), 0o666)
}

// clientGoVersion returns the version of client-go that this program is built with.
func clientGoVersion() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "k8s.io/client-go" {
				return m.Version, nil
			}
		}
	}
	return "", errors.New("this program does not know what it was built with")
}
