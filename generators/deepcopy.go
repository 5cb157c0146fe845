package generators

import (
	"io/fs"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/deepcopy"
	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// DeepCopyEmitter returns the emitter of [DeepCopy]. Its input must be read with Copies of
// [RunOptions].
func DeepCopyEmitter() Emitter {
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		text, err := fs.Sub(templates.FS, "deepcopy")
		if err != nil {
			return nil, err
		}
		var trees []Tree
		for _, p := range in.API.Packages {
			if p.Copies != nil && p.Copies.Unread {
				continue
			}
			// Without a file, the tree removes the one that was generated earlier.
			tree := Tree{Tool: "gen-deepcopy", Place: Place{p.Dir, p.Types.Path}, Flat: true, Templates: text, same: deepcopy.Same}
			if p.Copies != nil && len(p.Copies.Types) > 0 {
				tree.Files = []File{{
					Path: model.CopiesFile, PackageName: p.Name, Constraint: "!" + DefaultBuildTag,
					Template: "deepcopy.go.tmpl", Data: newCopiesData(p.Copies), Pos: p.Pos,
				}}
			}
			if len(p.Views) > 0 {
				tree.Files = append(tree.Files, File{
					Path: model.ViewFile, PackageName: p.Name, Constraint: "!" + DefaultBuildTag,
					Template: "view.go.tmpl", Data: newViewsData(p.Views), Pos: p.Views[0].Pos,
				})
			}
			trees = append(trees, tree)
		}
		return trees, nil
	})
}

// copiesData is what the template of a file prints.
type copiesData struct {
	Types []*copiedData
}

// copiedData is a type as the template sees it.
type copiedData struct {
	Name      string
	Reference bool
	// Star is the sign before the type in receivers.
	Star    string
	Into    *copyData
	Method  bool
	Objects []copiedObject
}

// copiedObject is a function of a type that returns an interface.
type copiedObject struct {
	Name, Method string
	Interface    typeText
	ByValue      bool
}

// copyData is how a value is copied.
type copyData struct {
	Form model.CopyForm
	// Name is the name of a field.
	Name             string
	Type, Underlying typeText
	Method           string
	Elem             *copyData
	Fields           []*copyData
	// Inner copies *in to *out, in a block of its own.
	Inner *copyData
	// Tabs indent the lines.
	Tabs string
}

func newCopiesData(c *model.Copies) *copiesData {
	data := &copiesData{}
	for _, t := range c.Types {
		d := &copiedData{Name: t.Name, Reference: t.Reference, Star: "*", Method: t.Method}
		depth := 1
		if t.Reference {
			d.Star, depth = "", 2
		}
		if t.Into != nil {
			d.Into = wholeCopy(t.Into, depth)
		}
		for _, object := range t.Objects {
			d.Objects = append(d.Objects, copiedObject{
				Name: t.Name, Method: "DeepCopy" + object.Name, Interface: plainType(&model.Type{Ref: object}), ByValue: t.ByValue,
			})
		}
		data.Types = append(data.Types, d)
	}
	return data
}

// wholeCopy returns the data for copying *in to *out.
func wholeCopy(c *model.Copy, depth int) *copyData {
	d := &copyData{Form: c.Form, Method: c.Method, Tabs: strings.Repeat("\t", depth)}
	if c.Type != nil {
		d.Type = plainType(c.Type)
	}
	switch c.Form {
	case model.CopyMap, model.CopySlice:
		d.Elem = partCopy(c.Elem, depth+1)
		if c.Elem.Form == model.CopyStruct {
			d.Elem.Inner = wholeCopy(c.Elem, depth+1) // in the block of the loop
		}
	case model.CopyPointer:
		d.Elem = wholeCopy(c.Elem, depth+1)
	case model.CopyStruct:
		for _, f := range c.Fields {
			field := partCopy(f.Copy, depth)
			field.Name = f.Name
			d.Fields = append(d.Fields, field)
		}
	}
	return d
}

// partCopy returns the data for copying a field, a value of a map or an element of a slice.
func partCopy(c *model.Copy, depth int) *copyData {
	d := &copyData{Form: c.Form, Method: c.Method, Tabs: strings.Repeat("\t", depth)}
	if c.Underlying != nil || c.Form == model.CopyStruct {
		d.Inner = wholeCopy(c, depth+1)
	}
	if c.Underlying != nil {
		d.Underlying = plainType(c.Underlying)
	}
	return d
}
