package main

import (
	"net/http"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// serve returns a server of machines.
func serve(objects int) (http.Handler, error) {
	bodies, err := input.NewBodies(min(objects, many))
	return input.Cluster{Bodies: bodies}, err
}
