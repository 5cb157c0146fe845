package main

import (
	"net/http"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// serve returns a server of machines in JSON and of pods in protobuf, which all contenders list.
func serve(objects int) (http.Handler, error) {
	bodies, err := input.NewBodies(min(objects, many))
	if err != nil {
		return nil, err
	}
	replicas, err := input.ReplicaList(min(objects, many))
	return input.Cluster{Bodies: bodies, Replicas: replicas, ListsOnly: true}, err
}
