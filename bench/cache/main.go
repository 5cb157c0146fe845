// Cache measures the cost of storing objects in memory and of notifying handlers of changes, with
// client-go and with listwatch. It prints a table in Markdown; with -write, it updates
// docs/benchmarks.md.
//
// Usage, in the directory bench:
//
//	go run ./cache [-rounds n] [-newer | -growth] [-works pattern] [-profiles directory] [-write]
//
// Package contest documents the comparison. Requests over HTTP use generated clientsets and
// informer factories, as in a controller.
package main

import (
	"github.com/listwatch/listwatch/bench/internal/contest"
)

func main() { kept.Main() }

// kept is the contest.
var kept = contest.Contest{
	Name:       "cache",
	Contenders: [2]string{contenders[0].name, contenders[1].name},
	Works:      works,
	Growths:    growths,
	Serve:      serve,
}
