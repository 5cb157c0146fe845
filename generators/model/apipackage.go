package model

import (
	"go/token"
	"slices"
)

// APIPackage is a package of the run, whether it contains kinds or not. What generators write
// into API packages, such as deepcopy functions, is planned for it.
type APIPackage struct {
	// Types is the package as generated code imports it.
	Types Package
	// Name is the name in the package clauses.
	Name string
	// Dir is the absolute path of the directory.
	Dir string
	// Module is the package's module; the zero Module if there is none.
	Module Module
	// Version is the version that the package's kinds belong to; nil if it has none.
	Version *Version
	// Markers are the markers in the comments of the package's doc.go and in the package
	// comments of its other files, in the order of the files' names.
	Markers []Marker
	// Copies are the deepcopy functions to generate; nil if markers request none, or if copies were
	// not read.
	Copies *Copies
	// Register is the registration to generate; nil if there is none, or if registrations were
	// not read.
	Register *Register
	// CRDs are the CustomResourceDefinitions of kinds whose storage version is declared in the
	// package, sorted by kind, if they were read.
	CRDs []*CRD
	// Views are the kinds that are views whose types are declared in the package, in the order of the generated code,
	// if they were read.
	Views []*Kind
	// TypeDecls are the types that the package declares, sorted by name, if declarations were read.
	TypeDecls []*TypeDecl
	// Pos is the package's position in messages.
	Pos token.Position
}

// Module is a Go module.
type Module struct {
	// Path is the module's path, and Dir the absolute path of its root.
	Path, Dir string
	// Main reports whether it is a main module, as opposed to a dependency.
	Main bool
}

func (p *APIPackage) clone(versions map[*Version]*Version, kinds map[*Kind]*Kind, schemas map[*Schema]*Schema) *APIPackage {
	pkg := *p
	pkg.Version = versions[p.Version]
	pkg.Markers = slices.Clone(p.Markers)
	pkg.Copies = p.Copies.clone()
	pkg.Register = p.Register.clone()
	pkg.CRDs = slices.Clone(p.CRDs)
	for i, crd := range pkg.CRDs {
		pkg.CRDs[i] = crd.clone(schemas)
	}
	pkg.Views = slices.Clone(p.Views)
	for i, k := range pkg.Views {
		pkg.Views[i] = kinds[k]
	}
	pkg.TypeDecls = slices.Clone(p.TypeDecls)
	for i, t := range pkg.TypeDecls {
		pkg.TypeDecls[i] = t.clone(&pkg, kinds)
	}
	return &pkg
}
