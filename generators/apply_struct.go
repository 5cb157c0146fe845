package generators

import (
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// applyStruct returns the apply configuration of a struct.
func (a *applyConfigurations) applyStruct(p *applyPackage, s *model.Struct) *applyStruct {
	b := applyBuilder{configs: a.configs, seen: map[string]bool{}, data: &applyStruct{
		Struct: s, Package: p, Internal: a.internal(), Schema: a.schemas[s],
		Config: model.Title(s.Name) + suffix, Constructor: model.Title(s.Name),
	}}
	owner := model.TypeRef{Package: p.Types, Name: s.Name}
	for _, f := range s.Fields {
		if !blocked(owner, f) {
			b.data.Lines = append(b.data.Lines, b.line(f))
		}
	}
	align(b.data.Lines, p.Config.Path)
	b.setters(owner, s.Fields, embedding{})
	b.getters(owner, s.Fields, embedding{})
	return b.data
}

// applyBuilder builds an apply configuration.
type applyBuilder struct {
	configs configs
	data    *applyStruct
	seen    map[string]bool // fields that have setters or are hidden by others
}

// blocked reports whether a field has no part in apply configurations: what the server maintains,
// and fields that are about to be removed.
func blocked(owner model.TypeRef, f *model.Field) bool {
	if owner.Package.Path == metaV1 && owner.Name == "ObjectMeta" && (f.Name == "ManagedFields" || f.Name == "SelfLink") {
		return true
	}
	return strings.HasPrefix(f.Name, "ZZZ_")
}

// isMeta reports whether a type is one of metadata.
func isMeta(t *model.Type, name string) bool {
	return t.Form == model.Named && t.Ref.Package.Path == metaV1 && t.Ref.Name == name
}

// of returns the package of the apply configuration of a type.
func (c configs) of(t *model.Type) (model.Package, bool) {
	if t.Form != model.Named {
		return model.Package{}, false
	}
	pkg, ok := c[t.Ref.Package.Path+"."+t.Ref.Name]
	return pkg, ok
}

// is reports whether a type, or what it points to, has an apply configuration.
func (c configs) is(t *model.Type) bool {
	for t.Form == model.Pointer {
		t = t.Elem
	}
	_, ok := c.of(t)
	return ok
}

// config returns the type that stands for a type in apply configurations, without pointers around
// it.
func (c configs) config(t *model.Type) typeText {
	switch t.Form {
	case model.Pointer:
		return c.config(t.Elem)
	case model.Named:
		if pkg, ok := c.of(t); ok {
			return typeText{{Package: pkg, Name: model.Title(t.Ref.Name) + suffix}}
		}
	case model.Slice:
		if _, ok := c.of(t.Elem); ok {
			return append(typeText{{Text: "[]"}}, c.config(t.Elem)...)
		}
	case model.Map:
		if _, ok := c.of(t.Elem); ok {
			return append(append(append(typeText{{Text: "map["}}, c.config(t.Key)...), typePart{Text: "]"}), c.config(t.Elem)...)
		}
	}
	return plainType(t)
}

// plainType returns a type as it is.
func plainType(t *model.Type) typeText {
	switch t.Form {
	case model.Pointer:
		return plainType(t.Elem).pointer()
	case model.Slice:
		return append(typeText{{Text: "[]"}}, plainType(t.Elem)...)
	case model.Map:
		return append(append(append(typeText{{Text: "map["}}, plainType(t.Key)...), typePart{Text: "]"}), plainType(t.Elem)...)
	case model.Verbatim:
		var parts typeText
		for _, p := range t.Parts {
			if p.Type != nil {
				parts = append(parts, plainType(p.Type)...)
			} else {
				parts = append(parts, typePart{Text: p.Text})
			}
		}
		return parts
	}
	if t.Ref.Package.Path == "" {
		return typeText{{Text: t.Ref.Name}}
	}
	return typeText{{Package: t.Ref.Package, Name: t.Ref.Name}}
}

// nillable reports whether a field of a type can be absent without a pointer.
func nillable(t *model.Type) bool { return t.Form == model.Slice || t.Form == model.Map }

// line returns the line of a field.
func (b *applyBuilder) line(f *model.Field) applyLine {
	l := applyLine{Name: f.Name, Type: b.configs.config(f.Type), Tag: f.JSON}
	if f.Embedded {
		l.Name = ""
	}
	if !f.Inline() && (f.Embedded || !nillable(f.Type)) {
		l.Type = l.Type.pointer()
	}
	if !f.Inline() || f.OmitEmpty {
		l.Tag += ",omitempty"
	}
	return l
}

// embedding is how an embedded struct is reached. It is zero for the struct itself.
type embedding struct {
	// via is the expression for an embedded apply configuration; its own methods are called.
	via string
	// plain is the expression for an embedded struct that has no apply configuration.
	plain string
}

// enter returns the embedding of a field in the embedding of its struct.
func (b *applyBuilder) enter(f *model.Field, in embedding) embedding {
	if in != (embedding{}) {
		return in // fields and methods are promoted
	}
	name := f.Name
	isConfig := b.configs.is(f.Type)
	if isConfig {
		name = model.Title(f.Name) + suffix
	}
	expr := "b." + name
	if !f.Inline() {
		expr = "b.ensure" + f.Name + "()"
	}
	if isConfig {
		return embedding{via: expr}
	}
	return embedding{plain: expr}
}

// setters adds the With methods of fields.
func (b *applyBuilder) setters(owner model.TypeRef, fields []*model.Field, in embedding) {
	for _, f := range fields {
		if blocked(owner, f) || b.seen[f.Name] {
			continue
		}
		b.seen[f.Name] = true
		if !f.Embedded {
			s := b.setter(f, in)
			s.Type = s.Type.dedented()
			b.data.Setters = append(b.data.Setters, s)
			continue
		}
		before := len(b.data.Setters)
		b.setters(f.Type.Ref, f.Promoted, b.enter(f, in))
		if !f.Inline() && in == (embedding{}) && len(b.data.Setters) > before {
			field := f.Name
			if b.configs.is(f.Type) {
				field = model.Title(f.Name) + suffix
			}
			b.data.Ensured = append(b.data.Ensured, applyEnsured{Config: b.data.Config, Name: f.Name, Field: field, Type: b.configs.config(f.Type)})
		}
	}
}

// setter returns the With method of a field.
func (b *applyBuilder) setter(f *model.Field, in embedding) *applySetter {
	s := &applySetter{Config: b.data.Config, Field: f.Name, Target: "b." + f.Name, Via: in.via}
	if in.plain != "" {
		s.Target = in.plain + "." + f.Name
		return plainSetter(s, f.Type)
	}
	list := f.Type
	for list.Form == model.Pointer {
		list = list.Elem
	}
	config := b.configs.config(f.Type)
	switch {
	case list.Form == model.Slice && b.configs.is(list.Elem):
		s.Form, s.Type = addConfigs, config[1:].pointer()
		if f.Type.Form == model.Pointer {
			s.Items, s.Target = config, "*"+s.Target
		}
	case f.Type.Form == model.Slice:
		s.Form, s.Type = addValues, config[1:]
	case f.Type.Form == model.Map:
		s.Form, s.Type = addEntries, config
	case b.configs.is(f.Type):
		s.Form, s.Type = setValue, config.pointer()
	default:
		s.Form, s.Type = setPointer, config
	}
	return s
}

// plainSetter completes the With method of a field of a struct without an apply configuration.
func plainSetter(s *applySetter, t *model.Type) *applySetter {
	switch t.Form {
	case model.Slice:
		s.Form, s.Type = addValues, plainType(t.Elem)
	case model.Map:
		s.Form, s.Type = addEntries, plainType(t)
	case model.Pointer:
		s.Form, s.Type = setPointer, plainType(t.Elem)
	default:
		s.Form, s.Type = setValue, plainType(t)
	}
	return s
}

// getters adds the Get methods, of what identifies an object.
func (b *applyBuilder) getters(owner model.TypeRef, fields []*model.Field, in embedding) {
	for _, f := range fields {
		switch {
		case blocked(owner, f):
		case f.Embedded && in.plain == "":
			b.getters(f.Type.Ref, f.Promoted, b.enter(f, in))
		case identifies(owner, f):
			value := "b." + f.Name
			if in.via != "" {
				value = in.via + ".Get" + f.Name + "()"
			}
			b.data.Getters = append(b.data.Getters, &applyGetter{Config: b.data.Config, Field: f.Name, Value: value})
		}
	}
}

// identifies reports whether a field is part of what identifies an object. Some projects have metadata of their own, with
// fewer fields.
func identifies(owner model.TypeRef, f *model.Field) bool {
	if f.Type.Form != model.Named || f.Type.Ref != (model.TypeRef{Name: "string"}) {
		return false
	}
	return owner.Name == "ObjectMeta" && (f.Name == "Name" || f.Name == "Namespace") ||
		owner.Name == "TypeMeta" && (f.Name == "Kind" || f.Name == "APIVersion")
}
