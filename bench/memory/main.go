// Memory measures what a cache of Pods takes with client-go and with listwatch, as it is by default, with packed objects,
// with the fields that are kept, and as a view. It prints a table in Markdown; with -growth, it draws how memory grows up to
// 1,000,000 Pods. With -write, it updates docs/benchmarks.md.
//
// Usage, in the directory bench:
//
//	go run ./memory [-rounds n] [-works pattern] [-profiles directory] [-growth [-largest n]] [-write]
//
// Package contest documents the comparison.
package main

import (
	"cmp"
	"net/http"

	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/internal/input"
)

func main() { kept.Main() }

// kept is the contest.
var kept = contest.Contest{
	Name:       "memory",
	Contenders: [2]string{"client-go", "listwatch"},
	Works:      works,
	Growths:    growths,
	Serve:      serve,
}

// many is the number of objects in a large cluster.
const many = 100_000

// serve returns a server of pods in protobuf and JSON, and of services in protobuf.
func serve(objects int) (http.Handler, error) {
	n := min(objects, many)
	binary, err := input.ReplicaList(n)
	text, fault := input.ReplicaText(n)
	others, failure := input.ServiceList(min(objects, services))
	return input.Cluster{Replicas: binary, ReplicaTexts: text, Services: others, ListsOnly: true}, cmp.Or(err, fault, failure)
}

var rows = []contest.Row{contest.CPU, contest.LiveEach, contest.PeakToLive, contest.PeakRSS}

// works are the benchmarks.
var works = append([]contest.Work{
	{Name: "100,000 Pods by protobuf", Objects: many, Rows: rows, Start: overHTTP("/sync", form{})},
	{Name: "100,000 Pods by protobuf, equal parts shared", Objects: many, Rows: rows, Start: overHTTP("/sync", form{shared: true})},
	{Name: "100,000 Pods by protobuf, packed", Objects: many, Rows: rows, Start: overHTTP("/sync", form{packed: true})},
	{Name: "100,000 Pods by protobuf, packed, without a handler", Objects: many, SeesOthers: true, Rows: rows, Start: overHTTP("/sync", form{packed: true, unhandled: true})},
	{Name: "100,000 Pods by protobuf, ten fields kept", Objects: many, Rows: rows, Start: overHTTP("/sync", form{fields: ten})},
	{Name: "100,000 Pods by protobuf, a view of ten fields", Objects: many, Rows: rows, Start: overHTTP("/sync", form{fields: ten, view: podView})},
	{Name: "100,000 Pods in JSON", Objects: many, Rows: rows, Start: overHTTP("/sync", form{text: true})},
	{Name: "100,000 Pods in JSON, packed", Objects: many, Rows: rows, Start: overHTTP("/sync", form{text: true, packed: true})},
	{Name: "100,000 Pods in JSON, ten fields kept", Objects: many, Rows: rows, Start: overHTTP("/sync", form{text: true, fields: ten})},
	{Name: "100,000 Pods in JSON, a view of ten fields", Objects: many, Rows: rows, Start: overHTTP("/sync", form{text: true, fields: ten, view: podView})},
}, projects...)
