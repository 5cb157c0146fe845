// Package facts describes Kubernetes' own kinds: how a kube-apiserver serves them, and how the
// values of their fields are merged.
//
// A group has versions, a version has resources, and a resource has names, verbs and subresources,
// in the form of aggregated discovery. A type describes, for managed fields, which lists are sets
// or maps and which values are atomic. A model is a type's schema in OpenAPI, with descriptions.
// Columns are what tables of a resource's objects show.
//
// All data are recorded from the release of Kubernetes that the generate directive names, and read
// when they are first requested: reading a group takes well below a millisecond, the types of a
// version a few milliseconds.
package facts

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
)

// The documents of a running server are written by: cd conformance && go run ./internal/kube/documents
//go:generate go run ./record -out data -module k8s.io/kubernetes@v1.37.1 -server ../../../../conformance/.work/documents

//go:embed data
var files embed.FS

// Groups returns the names of all groups, in the order of their priority.
func Groups() []string { return index().Groups }

// Group returns a group's versions, those of higher priority first, and false if the group is not
// one of Kubernetes' own. The caller owns the result.
func Group(name string) ([]apidiscovery.APIVersionDiscovery, bool, error) {
	if !index().known[name] {
		return nil, false, nil
	}
	data, err := files.ReadFile("data/resources/" + FileOf(name) + ".json")
	if err != nil {
		return nil, false, fmt.Errorf("read group %q: %w", name, err)
	}
	var versions []apidiscovery.APIVersionDiscovery
	if err := json.Unmarshal(data, &versions); err != nil {
		return nil, false, fmt.Errorf("read group %q: %w", name, err)
	}
	return versions, true, nil
}

// Known reports whether a group is one of Kubernetes' own.
func Known(name string) bool { return index().known[name] }

// FileOf returns the name of a group's file, without its extension.
func FileOf(group string) string {
	if group == "" {
		return "core"
	}
	return strings.TrimSuffix(group, ".k8s.io")
}

// Index is the index of the recorded files.
type Index struct {
	Groups   []string          `json:"groups"`
	Packages map[string]string `json:"packages"` // by group/version
	known    map[string]bool
}

func packages() map[string]string { return index().Packages }

var index = sync.OnceValue(func() *Index {
	ix := &Index{known: map[string]bool{}}
	// An index that cannot be read is empty; a test reads it.
	if data, err := files.ReadFile("data/index.json"); err == nil && json.Unmarshal(data, ix) == nil {
		for _, g := range ix.Groups {
			ix.known[g] = true
		}
	}
	return ix
})
