package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// models are the types of all versions, by name.
type models struct {
	types   map[string]facts.Type
	kinds   map[string]string
	schemas map[string]map[string]json.RawMessage // of OpenAPI, by package and name
}

// document contains the schemas of an OpenAPI document.
type document struct {
	Components struct {
		Schemas map[string]*spec.Schema `json:"schemas"`
	} `json:"components"`
}

// keepServer replaces the schemas that the documents of a server contain.
func (m *models) keepServer(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		var doc document
		if err := read(file, &doc); err != nil {
			return err
		}
		if err := m.keep(doc.Components.Schemas); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// read adds the types of the kinds of a version.
func (m *models) read(dir, group, version string) error {
	name := "apis__" + group + "__" + version + "_openapi.json"
	if group == "" {
		name = "api__" + version + "_openapi.json"
	}
	var doc document
	if err := read(filepath.Join(dir, name), &doc); err != nil {
		return err
	}
	if err := m.keep(doc.Components.Schemas); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	converted, err := schemaconv.ToSchemaFromOpenAPI(doc.Components.Schemas, false)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	all := map[string]facts.Type{}
	for _, t := range converted.Types {
		atom, err := atomOf(t.Atom)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, t.Name, err)
		}
		all[t.Name] = facts.Type{Name: t.Name, Atom: atom}
	}
	for model, s := range doc.Components.Schemas {
		gvks, err := kindsOf(s)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, model, err)
		}
		for _, gvk := range gvks {
			if strings.HasPrefix(model, "io.k8s.apimachinery.") || strings.HasSuffix(model, "List") {
				continue
			}
			m.kinds[gvk.Group+"/"+gvk.Version+"/"+gvk.Kind] = model
			m.add(model, all)
		}
	}
	return nil
}

// shared are the models that belong to each group: their kinds depend on the document.
var shared = []string{"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent"}

// keep adds the schemas of a document.
func (m *models) keep(schemas map[string]*spec.Schema) error {
	for name, s := range schemas {
		if slices.Contains(shared, name) {
			delete(s.Extensions, groupVersionKindExtension)
		}
		data, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		pkg := facts.PackageOf(name)
		if m.schemas[pkg] == nil {
			m.schemas[pkg] = map[string]json.RawMessage{}
		}
		m.schemas[pkg][name] = data
	}
	return nil
}

// add adds a type and the types that it refers to.
func (m *models) add(name string, all map[string]facts.Type) {
	if _, ok := m.types[name]; ok {
		return
	}
	t := all[name]
	m.types[name] = t
	t.Visit(func(ref string) { m.add(ref, all) })
}

// packages returns the types by package. Types without one belong to package common.
func (m *models) packages() map[string]*facts.Types {
	out := map[string]*facts.Types{}
	of := func(name string) string {
		if pkg := facts.PackageOf(name); pkg != "" {
			return pkg
		}
		return "common"
	}
	for _, name := range sortedKeys(m.types) {
		pkg := of(name)
		if out[pkg] == nil {
			out[pkg] = &facts.Types{Kinds: map[string]string{}}
		}
		out[pkg].Types = append(out[pkg].Types, m.types[name])
	}
	for pkg, types := range out {
		needs := map[string]bool{}
		for _, t := range types.Types {
			t.Visit(func(ref string) { needs[of(ref)] = true })
		}
		delete(needs, pkg)
		types.Needs = sortedKeys(needs)
	}
	for kind, name := range m.kinds {
		out[of(name)].Kinds[kind] = name
	}
	return out
}

const groupVersionKindExtension = "x-kubernetes-group-version-kind"

type groupVersionKind struct{ Group, Version, Kind string }

func kindsOf(s *spec.Schema) ([]groupVersionKind, error) {
	data, err := json.Marshal(s.Extensions[groupVersionKindExtension])
	if err != nil {
		return nil, err
	}
	var out []groupVersionKind
	return out, json.Unmarshal(data, &out)
}

func atomOf(a schema.Atom) (out facts.Atom, err error) {
	if a.Scalar != nil {
		out.Scalar = string(*a.Scalar)
	}
	if a.List != nil {
		out.List = &facts.List{Relationship: string(a.List.ElementRelationship), Keys: a.Keys}
		if out.List.Element, err = refOf(a.List.ElementType); err != nil {
			return out, err
		}
	}
	if a.Map != nil {
		if len(a.Unions) > 0 {
			return out, fmt.Errorf("has unions")
		}
		out.Map = &facts.Map{Relationship: string(a.Map.ElementRelationship)}
		if out.Map.Element, err = refOf(a.Map.ElementType); err != nil {
			return out, err
		}
		fields := slices.SortedFunc(slices.Values(a.Fields), func(a, b schema.StructField) int { return strings.Compare(a.Name, b.Name) })
		for _, f := range fields {
			ref, err := refOf(f.Type)
			if err != nil {
				return out, err
			}
			out.Map.Fields = append(out.Map.Fields, facts.Field{Name: f.Name, Type: ref, Default: f.Default})
		}
	}
	return out, nil
}

func refOf(r schema.TypeRef) (out facts.Ref, err error) {
	if r.Nullable {
		return out, fmt.Errorf("is nullable")
	}
	if r.NamedType != nil {
		out.Named = *r.NamedType
	}
	if r.ElementRelationship != nil {
		out.Relationship = new(string(*r.ElementRelationship))
	}
	out.Atom, err = atomOf(r.Inlined)
	return out, err
}
