package model

import (
	"maps"
	"strings"
)

// View is what makes a kind a view: a struct of the user with some fields of another kind's type.
type View struct {
	// Of is the type of that kind, in the package of the version's types.
	Of TypeRef
	// Types is the package of the view.
	Types Package
	// Numbers has the numbers of the fields in protobuf, as words PATH=NUMBER; empty if they have none.
	Numbers string
	// Metadata are the fields of ObjectMeta that the view has, by their names there. They are empty if the view embeds
	// ObjectMeta, whose methods it then has.
	Metadata map[string]string
	// OwnList reports whether the list type is generated, because none is declared.
	OwnList bool
}

// ViewFile is the name of the generated file with what views have beside their deepcopy functions.
const ViewFile = "zz_generated.view.go"

func (v *View) clone() *View {
	if v == nil {
		return nil
	}
	view := *v
	view.Metadata = maps.Clone(v.Metadata)
	return &view
}

// Types returns the package of the kind's type.
func (k *Kind) Types() Package {
	if k.View != nil {
		return k.View.Types
	}
	return k.Version.Types
}

// Of returns the kind in the API whose objects these are: the kind itself, or that of which it is a view.
func (k *Kind) Of() string {
	if k.View != nil {
		return k.View.Of.Name
	}
	return k.Name
}

// OwnResource returns the name by which fakes and metrics know the resource of a kind. A view has one of its own, since the
// kind itself and other views of it can have clients beside it.
func (k *Kind) OwnResource() string {
	if k.View != nil {
		return strings.ToLower(k.Names.Plural)
	}
	return k.Resource
}
