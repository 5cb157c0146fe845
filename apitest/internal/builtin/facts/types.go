package facts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// Types are the recorded types of one Go package, in the form of their files.
type Types struct {
	// Needs are the packages whose types these types refer to.
	Needs []string `json:"needs,omitempty"`
	// Kinds are the types that are kinds, by group/version/kind.
	Kinds map[string]string `json:"kinds,omitempty"`
	Types []Type            `json:"types"`
}

// Type is a type with a name.
type Type struct {
	Name string `json:"name"`
	Atom
}

// Atom describes the values of a type.
type Atom struct {
	Scalar string `json:"scalar,omitempty"`
	List   *List  `json:"list,omitempty"`
	Map    *Map   `json:"map,omitempty"`
}

// List is a type of lists.
type List struct {
	Element      Ref      `json:"element,omitzero"`
	Relationship string   `json:"relationship,omitempty"`
	Keys         []string `json:"keys,omitempty"`
}

// Map is a type of maps, or of structs if it has fields.
type Map struct {
	Fields       []Field `json:"fields,omitempty"`
	Element      Ref     `json:"element,omitzero"`
	Relationship string  `json:"relationship,omitempty"`
}

// Field is a field of a struct.
type Field struct {
	Name    string `json:"name"`
	Type    Ref    `json:"type"`
	Default any    `json:"default,omitempty"`
}

// Ref refers to a type by its name, or is one.
type Ref struct {
	Named        string  `json:"named,omitempty"`
	Relationship *string `json:"relationship,omitempty"`
	Atom
}

// PackageOf returns the package of a type.
func PackageOf(name string) string {
	return name[:max(strings.LastIndexByte(name, '.'), 0)]
}

// A typeSet contains the types of a package's kinds.
type typeSet struct {
	kinds  map[string]string
	parser *typed.Parser
}

// The files that were read.
var memory = struct {
	mu    sync.Mutex // guards the fields below
	sets  map[string]*typeSet
	files map[string]*typeFile
}{sets: map[string]*typeSet{}, files: map[string]*typeFile{}}

// A typeFile is the content of a package's file.
type typeFile struct {
	Types
	defs []schema.TypeDef
}

// TypeOf returns the type of a kind, for managed fields, or nil if the kind is unknown. The result
// is shared: it must not be modified.
func TypeOf(group, version, kind string) (*typed.ParseableType, error) {
	pkg, ok := packages()[group+"/"+version]
	if !ok {
		return nil, nil
	}
	memory.mu.Lock()
	defer memory.mu.Unlock()
	set, err := typesOf(pkg)
	if err != nil {
		return nil, err
	}
	name, ok := set.kinds[group+"/"+version+"/"+kind]
	if !ok {
		return nil, nil
	}
	t := set.parser.Type(name)
	return &t, nil
}

// typesOf returns the types of a package and of all packages that it needs. The memory is locked.
func typesOf(pkg string) (*typeSet, error) {
	if set, ok := memory.sets[pkg]; ok {
		return set, nil
	}
	set := &typeSet{parser: &typed.Parser{}}
	queue := []string{pkg}
	for i := 0; i < len(queue); i++ {
		f, err := readTypes(queue[i])
		if err != nil {
			return nil, err
		}
		if i == 0 {
			set.kinds = f.Kinds
		}
		set.parser.Schema.Types = append(set.parser.Schema.Types, f.defs...)
		for _, need := range f.Needs {
			if !slices.Contains(queue, need) {
				queue = append(queue, need)
			}
		}
	}
	memory.sets[pkg] = set
	return set, nil
}

// readTypes returns the content of a package's file. The memory is locked.
func readTypes(pkg string) (*typeFile, error) {
	if f, ok := memory.files[pkg]; ok {
		return f, nil
	}
	data, err := files.ReadFile("data/types/" + pkg + ".json")
	if err != nil {
		return nil, fmt.Errorf("read the types of %s: %w", pkg, err)
	}
	f := &typeFile{}
	if err := json.Unmarshal(data, &f.Types); err != nil {
		return nil, fmt.Errorf("read the types of %s: %w", pkg, err)
	}
	for _, t := range f.Types.Types {
		f.defs = append(f.defs, schema.TypeDef{Name: t.Name, Atom: t.atom()})
	}
	memory.files[pkg] = f
	return f, nil
}

func (a Atom) atom() (out schema.Atom) {
	if a.Scalar != "" {
		out.Scalar = new(schema.Scalar(a.Scalar))
	}
	if a.List != nil {
		out.List = &schema.List{
			ElementType:         a.List.Element.ref(),
			ElementRelationship: schema.ElementRelationship(a.List.Relationship),
			Keys:                a.List.Keys,
		}
	}
	if a.Map != nil {
		out.Map = &schema.Map{
			ElementType:         a.Map.Element.ref(),
			ElementRelationship: schema.ElementRelationship(a.Map.Relationship),
		}
		for _, f := range a.Map.Fields {
			out.Fields = append(out.Fields, schema.StructField{Name: f.Name, Type: f.Type.ref(), Default: f.Default})
		}
	}
	return out
}

func (r Ref) ref() (out schema.TypeRef) {
	if r.Named != "" {
		out.NamedType = &r.Named
	}
	if r.Relationship != nil {
		out.ElementRelationship = new(schema.ElementRelationship(*r.Relationship))
	}
	out.Inlined = r.atom()
	return out
}

// Visit calls f with the names of the types that the atom refers to.
func (a Atom) Visit(f func(name string)) {
	visit := func(r Ref) {
		if r.Named != "" {
			f(r.Named)
		}
		r.Visit(f)
	}
	if a.List != nil {
		visit(a.List.Element)
	}
	if a.Map != nil {
		visit(a.Map.Element)
		for _, field := range a.Map.Fields {
			visit(field.Type)
		}
	}
}
