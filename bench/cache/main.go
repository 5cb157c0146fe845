// Cache measures what it costs to keep objects in memory and to tell handlers of their changes:
// with client-go and with listwatch. It prints a table in Markdown, and with -write puts it
// into docs/benchmarks.md.
//
// Usage, in the folder bench:
//
//	go run ./cache [-rounds n] [-works pattern] [-profiles folder] [-write]
//
// How the two are compared is in package contest. What goes over HTTP goes through emitted
// clientsets and informer factories, as in a controller.
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
	Serve:      serve,
}
