// Replaced measures what one line in go.mod changes in a program: the program is built with client-go and, with the other
// file of requirements, with listwatch's module client-go in its place. It has a clientset, informers and listers of
// client-gen. It prints a table in Markdown; with -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench/replaced:
//
//	go run . [-rounds n] [-works pattern] [-profiles directory] [-write]
//
// Package contest documents the comparison.
package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/internal/input"
)

func main() { kept.Main() }

// requirements are the files of requirements of the contenders, in the order of their names.
var requirements = [2]string{"go.mod", "replaced.mod"}

// kept is the contest.
var kept = contest.Contest{
	Name:       "replaced",
	Module:     true,
	Contenders: [2]string{"client-go", "listwatch"},
	Works:      works,
	Serve: func(objects int) (http.Handler, error) {
		bodies, err := input.NewBodies(min(objects, many))
		return input.Cluster{Bodies: bodies}, err
	},
	Build: build,
}

// build builds this program for a contender in a directory.
func build(contender int, dir string) (program string, err error) {
	program = filepath.Join(dir, fmt.Sprint("program", contender))
	cmd := exec.Command("go", "build", "-modfile", requirements[contender], "-o", program, ".")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build with %s: %w\n%s", requirements[contender], err, out)
	}
	return program, nil
}
