// Wire measures the cost of reading typed objects from a server, with client-go and with listwatch.
// Their clientsets for one custom resource are in the directory clients. It prints a table in
// Markdown; with -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench:
//
//	go run ./wire [-rounds n] [-newer] [-works pattern] [-profiles directory] [-write]
//
// First, both decode the same input, and it is an error if the results differ. Package contest
// documents the comparison; the server sends prepared responses.
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
