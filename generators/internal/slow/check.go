package slow

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// Check warns about the slow fields of kinds that the packages declare, with the way to make them fast. Fields whose
// types decode themselves are meant to, so of these only times are reported. The warnings are never errors, since a
// field of a published API cannot always be changed.
func Check(kinds []*load.Type, packages []*load.Package, resolver *resolve.Resolver, diags *diag.List) {
	own, declaring := map[*load.Package]bool{}, map[*load.Package]bool{}
	for _, p := range packages {
		own[p] = true
	}
	for _, k := range kinds {
		declaring[k.File.Package] = true
	}
	resolve.Ahead(slices.DeleteFunc(slices.Clone(packages), func(p *load.Package) bool { return !declaring[p] }))
	for _, k := range kinds {
		check(resolver.Decl(k), own, diags)
	}
}

// check warns about the slow fields of a kind.
func check(kind *resolve.Type, own map[*load.Package]bool, diags *diag.List) {
	large := map[string]bool{} // structs of too many fields, of which the first such field is reported
	for _, f := range Explain(kind, func(p *load.Package) bool { return own[p] }) {
		if f.Package == nil || !own[f.Package] {
			continue
		}
		if f.Why == tooMany {
			of := f.Name[:max(strings.LastIndexByte(f.Name, '.'), 0)]
			if !large[of] {
				diags.Advisef(f.Pos, "field %s and those after it are decoded slowly (%s); %s", f.Name, f.Why, f.advice())
			}
			large[of] = true
			continue
		}
		if advice := f.advice(); advice != "" {
			diags.Advisef(f.Pos, "field %s is decoded slowly (%s); %s", f.Name, f.Why, advice)
		}
	}
}

// advice returns how to make the field fast; empty if it is meant to be what it is.
func (f *Field) advice() string {
	switch f.Why {
	case itself:
		if f.Type.Is("time", "Time") {
			return "use metav1.Time, or metav1.MicroTime for fractions of seconds"
		}
		return ""
	case "has a method UnmarshalText":
		return "use string, and parse it where it is needed"
	case "json.Number":
		return "use int64 or resource.Quantity"
	case "interfaces other than any":
		return "use runtime.RawExtension or any"
	case "unnamed types whose pointers have methods":
		return "declare the type with a name"
	case "arrays":
		return "use a slice, whose JSON is the same, and limit its length by markers"
	case "pointers to pointers":
		return "use one pointer"
	case "named pointers to types with methods":
		return "use the pointer itself, so that the methods count"
	case "slices of named bytes":
		return "use []byte, whose JSON is the same"
	case "maps by other keys than strings":
		return "use strings as keys, which they are in JSON"
	case "types that contain themselves other than by structs":
		return "put a struct between"
	case tooMany:
		return "group its fields in structs"
	case "two fields of this name":
		return "give them different names in their JSON tags"
	case "names beyond letters, digits and _.$/-":
		return "give it another name in the next version of the API"
	case "embedded pointers":
		return "embed the struct itself"
	case "embedded types that are not exported":
		return "export the type, or declare its fields here"
	case "embedded types that are not structs":
		return "give it a name, with the type's in the JSON tag, whose JSON is the same"
	case "embedded types that decode themselves":
		return "give it a name"
	case "the option string":
		return "leave the option out in the next version of the API"
	case "func", "chan", "uintptr", "complex64", "complex128", "unsafe.Pointer":
		return "JSON has no such values; leave the field out with the tag json:\"-\""
	}
	return "remove the option, which has no effect" // any other
}
