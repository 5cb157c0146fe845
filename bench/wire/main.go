// Wire measures what it costs to get typed objects off the wire: with client-go and
// with listwatch, whose clientsets for one custom resource are in folder clients. It
// prints a table in Markdown, and with -write puts it into docs/benchmarks.md.
//
// Usage, in the folder bench:
//
//	go run ./wire [-rounds n] [-works pattern] [-profiles folder] [-write]
//
// First both are made to decode the same input, and the results compared: it is an
// error if they are not equal. How they are compared then is in package contest; the
// server sends answers that it holds ready.
package main

import (
	"net/http"

	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/internal/input"
)

func main() { wire.Main() }

// wire is the contest.
var wire = contest.Contest{
	Name:       "wire",
	Contenders: [2]string{contenders[0].name, contenders[1].name},
	Works:      contested(works),
	Serve:      serve,
	Verify:     func(_ []contest.Work, env contest.Env) error { return verifyAll(env.URL) },
}

func serve(objects int) (http.Handler, error) {
	bodies, err := input.NewBodies(objects)
	return input.Server{Bodies: bodies}, err
}
