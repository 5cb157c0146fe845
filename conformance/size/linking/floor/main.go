// A program without work, which imports what a controller of one custom resource needs beside the runtime: the types
// of its API, and the packages of which generated code and the exported API of cache, rest and workqueue have types.
package main

import (
	_ "net/http"
	_ "os/exec" // credentials of configs come from programs

	_ "golang.org/x/oauth2"
	_ "golang.org/x/time/rate"
	_ "k8s.io/apimachinery/pkg/api/errors"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "k8s.io/apimachinery/pkg/runtime"
	_ "k8s.io/apimachinery/pkg/runtime/serializer"
	_ "k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	_ "k8s.io/apimachinery/pkg/util/version"
	_ "k8s.io/apimachinery/pkg/util/wait"

	_ "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func main() {}
