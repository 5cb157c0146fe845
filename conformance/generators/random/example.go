package random

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Example is a group of API packages.
type Example struct {
	// Name is the directory of the packages in the module, and Number what it was made of.
	Name   string
	Number uint64
	// Files are the texts by their paths below the directory.
	Files map[string]string
	// Wild reports that it may contain what generators refuse, and Clients that kinds have clients.
	Wild, Clients bool
}

// Module is the module that contains the examples.
const Module = "example.test/random"

// New returns the example with a number.
func New(seed, number uint64) Example {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, number))}
	e := Example{Name: fmt.Sprintf("e%d", number), Number: number, Files: map[string]string{}}
	w.wild = w.one(3)
	e.Wild, e.Clients = w.wild, w.one(2)
	w.kubebuilder = !e.Clients && w.one(2)
	w.group = fmt.Sprintf("g%d.example.com", number)
	versions := []string{w.pick("v1", "v1alpha1", "v1beta2")}
	if w.one(5) {
		versions = append(versions, "v2")
	}
	shared := &scope{}
	if w.one(4) {
		texts := w.declare(shared, w.typeNames(1+w.IntN(3)))
		head := "// Package shared has types of several packages.\n//\n// +k8s:deepcopy-gen=package\n"
		if w.kubebuilder {
			head = "// +kubebuilder:object:generate=true\n"
		}
		if w.odd(6) {
			head = "// Package shared has no markers.\n"
		}
		e.Files["shared/doc.go"] = head + "package shared\n"
		e.Files["shared/types.go"] = file("", "shared", imports, texts)
	}
	kinds := w.some(2, nouns...)
	if len(kinds) == 0 {
		kinds = []string{"Fox"}
	}
	for i, v := range versions {
		w.version(&e, v, i == 0, len(versions) > 1, kinds, shared)
	}
	return e
}

// typeNames returns n names of types.
func (w *writer) typeNames(n int) []string {
	list := w.some(len(adjectives), adjectives...)
	for len(list) < n {
		list = append(list, fmt.Sprintf("Type%d", len(list)))
	}
	return list[:n]
}

var (
	adjectives = strings.Fields("Big Small Warm Cold Inner Outer First Last Rule Source Target Config Phase Reference Bound")
	nouns      = strings.Fields("Fox Bus Policy Day Series Gateway HTTPRoute Index Mouse Sheep Person Proxy Quiz Leaf Hero Analysis Status Matrix Child Photo Box Ox Datum News Class")
)

// version writes a version of the group.
func (w *writer) version(e *Example, version string, first, several bool, kinds []string, shared *scope) {
	s := &scope{}
	known := maps.Clone(imports)
	from := path.Join(Module, e.Name, "shared")
	if len(shared.ready) > 0 {
		name := w.pick("shared", "common", ".")
		known[name] = from
		for _, n := range shared.ready {
			if name != "." {
				n.name = name + "." + n.name
			}
			s.ready = append(s.ready, n)
		}
	}
	taken := map[string]bool{}
	for _, n := range s.ready {
		taken[n.name] = true
	}
	free := slices.DeleteFunc(w.typeNames(3+w.IntN(8)), func(name string) bool { return taken[name] })
	var texts []string
	if w.wild && w.one(3) {
		s.generic = "Pair"
		texts = append(texts, "// Pair is generic.\ntype Pair[T any] struct {\n\tFirst T `json:\"first\"`\n\tMore []T `json:\"more,omitempty\"`\n}\n")
	}
	texts = append(texts, w.declare(s, free)...)
	for _, kind := range kinds {
		texts = append(texts, w.kind(e, s, kind, first, several)...)
	}
	files := [][]string{texts}
	if len(texts) > 3 && w.one(3) {
		n := 1 + w.IntN(len(texts)-1)
		files = [][]string{texts[:n], texts[n:]}
	}
	for i, texts := range files {
		head := ""
		if w.one(10) {
			head = w.pick("//go:build !never\n\n", "// Copyright of someone.\n\n", "//go:build linux || darwin || windows\n\n", "/*\nLicense.\n*/\n\n")
		}
		use := maps.Clone(known)
		if use["."] != "" && !shared.in(texts) {
			delete(use, ".")
		}
		e.Files[path.Join(version, w.pick("types", "api", "a_types")+fmt.Sprint(i)+".go")] = file(head, version, use, texts)
	}
	head := "// Package " + version + " is random.\n//\n" + w.packageMarkers(e)
	name := "/doc.go" // the only file whose markers deepcopy-gen reads
	if w.kubebuilder && w.one(2) {
		name = "/groupversion_info.go"
	}
	e.Files[version+name] = head + "package " + version + "\n"
	if w.one(10) {
		e.Files[version+"/never.go"] = "//go:build never\n\npackage " + version + "\n\n// +kubebuilder:object:root=true\ntype Never struct{ A any }\n"
	}
	if w.one(10) {
		e.Files[version+"/types_test.go"] = "package " + version + "\n\n// +genclient\n// +kubebuilder:object:root=true\ntype tested struct{ A any }\n"
	}
}

// in reports whether declarations refer to a type of the scope by its name alone.
func (s *scope) in(declarations []string) bool {
	return slices.ContainsFunc(s.ready, func(n named) bool {
		word := regexp.MustCompile(`(?m)^[^/` + "`" + `\n]*[^/` + "`" + `\n.\w]` + n.name + `\b`)
		return slices.ContainsFunc(declarations, word.MatchString)
	})
}
