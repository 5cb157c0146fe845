package kinds

import (
	"path"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// Imports are names of imported packages, by import path. No two are the same.
type Imports map[string]string

// Package returns a package with its name. It names a package that has none yet.
func (i Imports) Package(importPath string) model.Package {
	if known, ok := i[importPath]; ok {
		return model.Package{Path: importPath, Alias: known}
	}
	alias := model.ForeignAlias(importPath)
	above := model.Identifier(strings.ToLower(path.Base(path.Dir(path.Dir(importPath)))))
	for i.taken(alias) {
		alias = above + alias
	}
	i[importPath] = alias
	return model.Package{Path: importPath, Alias: alias}
}

func (i Imports) taken(alias string) bool {
	for _, other := range i {
		if other == alias {
			return true
		}
	}
	return false
}
