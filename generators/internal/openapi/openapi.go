// Package openapi reads the schemas of API types from OpenAPI documents, as far as server-side
// apply needs them: which fields a type has, and how lists and maps are merged.
//
// A [Document] contains the definitions of version 2 or 3 documents; [Document.Schema] returns a
// [Schema] of some of them and of those they refer to, which prints itself as lines of JSON: package
// schemas of the runtime reads them, and as parts of YAML, structured-merge-diff does.
//
// Unions (x-kubernetes-unions) are ignored, as the implementation of server-side apply does.
package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Document contains the definitions of types.
type Document struct {
	definitions map[string]*definition
}

// definition is the schema of a type or field.
type definition struct {
	Ref                  string                 `json:"$ref"`
	AllOf                []*definition          `json:"allOf"`
	Type                 string                 `json:"type"`
	Format               string                 `json:"format"`
	Properties           map[string]*definition `json:"properties"`
	Items                *definition            `json:"items"`
	AdditionalProperties json.RawMessage        `json:"additionalProperties"`
	OneOf                []json.RawMessage      `json:"oneOf"`
	Default              json.RawMessage        `json:"default"`
	ListType             string                 `json:"x-kubernetes-list-type"`
	ListMapKeys          []string               `json:"x-kubernetes-list-map-keys"`
	MapType              string                 `json:"x-kubernetes-map-type"`
	PatchStrategy        string                 `json:"x-kubernetes-patch-strategy"`
	PatchMergeKey        string                 `json:"x-kubernetes-patch-merge-key"`
	PreserveUnknown      bool                   `json:"x-kubernetes-preserve-unknown-fields"`
}

// Read reads a JSON document of OpenAPI version 2 or 3, or all documents below a directory. If
// several contain a definition, the first by file name counts.
func Read(name string) (*Document, error) {
	d := &Document{definitions: map[string]*definition{}}
	err := filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || file != name && filepath.Ext(file) != ".json" {
			return err
		}
		return d.read(file)
	})
	if err == nil && len(d.definitions) == 0 {
		err = fmt.Errorf("%s: no definitions", name)
	}
	return d, err
}

func (d *Document) read(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return d.parse(file, text)
}

// parse adds the definitions of a document; file is its name in errors.
func (d *Document) parse(file string, text []byte) error {
	var content struct {
		Definitions map[string]*definition `json:"definitions"`
		Components  struct {
			Schemas map[string]*definition `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, all := range []map[string]*definition{content.Definitions, content.Components.Schemas} {
		for name, def := range all {
			if _, known := d.definitions[name]; !known && def != nil {
				d.definitions[name] = def
			}
		}
	}
	return nil
}

// Name returns the name under which documents define a Go type.
func Name(pkg, typ string) string {
	parts := strings.Split(pkg, "/")
	if host := strings.Split(parts[0], "."); len(host) > 1 {
		slices.Reverse(host)
		parts[0] = strings.Join(host, ".")
	}
	return strings.Join(parts, ".") + "." + typ
}

// Has reports whether the document defines a name.
func (d *Document) Has(name string) bool { return d.definitions[name] != nil }

// ref returns the name of the definition that def refers to; empty if it is one itself.
func (def *definition) ref() string {
	switch {
	case def.Ref != "":
		return path.Base(def.Ref)
	case len(def.AllOf) == 1 && def.AllOf[0] != nil:
		return def.AllOf[0].ref()
	}
	return ""
}

// additional returns the schema of the values of a map; nil if any value is allowed.
func (def *definition) additional() *definition {
	var sub definition
	if json.Unmarshal(def.AdditionalProperties, &sub) != nil {
		return nil // absent, or true
	}
	return &sub
}

// below returns the definitions that are part of def.
func (def *definition) below() []*definition {
	var list []*definition
	for _, name := range slices.Sorted(maps.Keys(def.Properties)) {
		list = append(list, def.Properties[name])
	}
	if def.Items != nil {
		list = append(list, def.Items)
	}
	if sub := def.additional(); sub != nil {
		list = append(list, sub)
	}
	return list
}

// Schema returns the schema of the named definitions and of all that they refer to.
func (d *Document) Schema(roots []string) (*Schema, error) {
	needed := map[string]bool{}
	var visit func(in string, def *definition) error
	visit = func(in string, def *definition) error {
		if def == nil {
			return fmt.Errorf("definition %s contains null in place of a schema", in)
		}
		if name := def.ref(); name != "" {
			if needed[name] {
				return nil
			}
			target := d.definitions[name]
			if target == nil {
				return fmt.Errorf("definition %s is missing, but others refer to it", name)
			}
			needed[name] = true
			return visit(name, target)
		}
		for _, sub := range def.below() {
			if err := visit(in, sub); err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range roots {
		if err := visit(name, &definition{Ref: name}); err != nil {
			return nil, err
		}
	}
	s := &Schema{}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		c := converter{name: name}
		s.Types = append(s.Types, Type{Name: name, Atom: c.atom(d.definitions[name], false)})
		if c.err != nil {
			return nil, c.err
		}
	}
	return s, nil
}
