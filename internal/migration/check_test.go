package migration_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/migration"
)

// unpack writes the files of an archive below a new directory.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An import that cannot be loaded is a finding like others.
func TestCheckWithoutModule(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=readonly")
	t.Setenv("GOWORK", "off")
	dir := unpack(t, "-- go.mod --\nmodule example.com/p\n-- p.go --\npackage p\n\nimport _ \"example.com/q\"\n")
	found, err := migration.Check(t.Context(), dir, []string{"./..."}, nil)
	if err != nil || len(found) != 1 || found[0].Position.Line != 3 || !strings.Contains(found[0].Message, "run go mod tidy") {
		t.Errorf("found %v, error %v, want one about the import", found, err)
	}
}

// What follows from imports that cannot be loaded is not reported, and each of these once.
func TestCheckCauses(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=readonly")
	t.Setenv("GOWORK", "off")
	dir := unpack(t, `
-- go.mod --
module example.com/p
-- a.go --
package p

import "example.com/q"

type T struct{ q.Q }

func (t T) M() int { return t.N() + undeclared }
-- b.go --
package p

import "example.com/q"

var _ = q.X
-- other/other.go --
package other

var _ = undeclared
`)
	found, err := migration.Check(t.Context(), dir, []string{"./..."}, nil)
	if err != nil || len(found) != 2 {
		t.Fatalf("found %v, error %v, want one of each package", found, err)
	}
	for i, want := range []string{"run go mod tidy", "undefined: undeclared"} {
		if !strings.Contains(found[i].Message, want) {
			t.Errorf("got %q, want %q", found[i].Message, want)
		}
	}
}

// A file that is no Go file is an error, because findings about others would be misleading.
func TestCheckSyntax(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := unpack(t, "-- go.mod --\nmodule example.com/p\n-- p.go --\npackage p; func\n")
	if found, err := migration.Check(t.Context(), dir, []string{"./..."}, nil); err == nil || !strings.Contains(err.Error(), "p.go:1:") {
		t.Errorf("found %v, error %v, want one at p.go:1", found, err)
	}
}

// modules are a program and stand-ins of the modules that it uses.
const modules = `
-- go.mod --
module example.com/p

go 1.25

require (
	example.com/lib v0.0.0
	github.com/listwatch/listwatch v0.0.0
	k8s.io/client-go v0.0.0
)

replace (
	example.com/lib => ./lib
	github.com/listwatch/listwatch => ./ours
	k8s.io/client-go => ./theirs
)
-- lib/go.mod --
module example.com/lib

go 1.25

require k8s.io/client-go v0.0.0
-- lib/lib.go --
package lib

import (
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func Use(*rest.Config) *rest.Config { return nil }
func Watch(cache.SharedIndexInformer) {}
func Queue(cache.Queue) cache.Queue { return nil }
func Client(dynamic.Interface) dynamic.Interface { return nil }
-- ours/go.mod --
module github.com/listwatch/listwatch

go 1.25
-- ours/runtime/rest/rest.go --
package rest

type Config struct{}
-- ours/runtime/cache/cache.go --
package cache

type SharedIndexInformer interface{ Ours() }
type Queue interface{ Ours() }
-- ours/runtime/dynamic/dynamic.go --
package dynamic

type Interface interface{ Ours() }
-- ours/runtime/discovery/discovery.go --
package discovery

type DiscoveryClient struct{}
-- theirs/go.mod --
module k8s.io/client-go

go 1.25
-- theirs/dynamic/dynamic.go --
package dynamic

type Interface interface{ Theirs() }
-- theirs/rest/rest.go --
package rest

type Config struct{}
-- theirs/tools/cache/cache.go --
package cache

type SharedIndexInformer interface{ Theirs() }
type Queue interface{ Theirs() }
`

func TestCheck(t *testing.T) {
	const convert = "convert it with %s of github.com/listwatch/listwatch/clientgo"
	const line = "; the line that listwatch-migrate --replace writes into go.mod makes both one type"
	const config = "for the config that ToConfig of github.com/listwatch/listwatch/clientgo returns"
	for _, tt := range []struct{ name, statement, want string }{
		{"nothing", "_ = config", ""},
		{"config to client-go", "lib.Use(config)", fmt.Sprintf(convert, "ToConfig")},
		{"config from client-go", "config = lib.Use(nil)", fmt.Sprintf(convert, "FromConfig")},
		{"informer", "lib.Watch(informer)", fmt.Sprintf(convert, "ToInformer")},
		{"client to client-go", "lib.Client(dynamicClient)", "the package that takes the value uses client-go: create a second client for it, " + config + line},
		{"client from client-go", "dynamicClient = lib.Client(nil)", "the package that the value comes from uses client-go: create a second client, " + config + line},
		{"other type to client-go", "lib.Queue(queue)", "the other package uses client-go: import k8s.io/client-go/tools/cache for the values that both exchange" + line},
		{"other type from client-go", "queue = lib.Queue(nil)", "the other package uses client-go: import k8s.io/client-go/tools/cache for the values that both exchange" + line},
		{"method that is left out", "client.OpenAPISchema()", "it is left out: every program with a clientset would link the OpenAPI models; use runtime/openapi/models: Schema requests the document, and For adds these methods to a discovery client"},
		{"symbol that is left out", "cache.NewHeap(nil, nil)", "it is left out: internal parts of client-go that are rarely used; use container/heap, or your own store in a test"},
		{"unknown method", "client.Other()", "(type *discovery.DiscoveryClient has no field or method Other)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := unpack(t, modules+`
-- main.go --
package main

import (
	"example.com/lib"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	_ = lib.Use
	config *rest.Config
	informer cache.SharedIndexInformer
	queue cache.Queue
	client *discovery.DiscoveryClient
	dynamicClient dynamic.Interface
)

func main() {
	`+tt.statement+`
}
-- main_test.go --
package main
`)
			t.Setenv("GOFLAGS", "-mod=mod")
			t.Setenv("GOWORK", "off")
			found, err := migration.Check(t.Context(), dir, []string{"./..."}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				if len(found) != 0 {
					t.Errorf("found %v", found)
				}
				return
			}
			if len(found) != 1 || filepath.Base(found[0].Position.Filename) != "main.go" || found[0].Position.Line != 21 {
				t.Fatalf("found %v, want one finding in line 21", found)
			}
			if !strings.HasSuffix(found[0].Message, tt.want) {
				t.Errorf("got %q, want %q at its end", found[0].Message, tt.want)
			}
		})
	}
}
