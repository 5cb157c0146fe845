// Manager measures the cost of controller-runtime's cache and of listwatch's in its place. It prints a table in
// Markdown; with -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench/manager:
//
//	go run . [-rounds n] [-works pattern] [-profiles directory] [-write]
//
// Package contest documents the comparison.
package main

import (
	"github.com/listwatch/listwatch/bench/internal/contest"
)

func main() { kept.Main() }

// kept is the contest.
var kept = contest.Contest{
	Name:       "manager",
	Module:     true,
	Contenders: [2]string{"controller-runtime", "listwatch"},
	Works:      works,
	Serve:      serve,
}
