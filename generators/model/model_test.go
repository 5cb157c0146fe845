package model_test

import (
	"go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/model"
)

func TestVersions(t *testing.T) {
	v1, v2, v3 := &model.Version{Name: "v1"}, &model.Version{Name: "v2"}, &model.Version{Name: "v3"}
	api := model.API{Groups: []*model.Group{
		{Dir: "a", Versions: []*model.Version{v2, v1}},
		{Dir: "b"},
		{Dir: "c", Versions: []*model.Version{v3}},
	}}
	var got []string
	for _, v := range api.Versions() {
		got = append(got, v.Name)
	}
	if d := cmp.Diff([]string{"v2", "v1", "v3"}, got); d != "" {
		t.Error(d)
	}
	if got := (&model.API{}).Versions(); len(got) != 0 {
		t.Errorf("of nothing: got %d versions", len(got))
	}
}

func TestInternal(t *testing.T) {
	if (&model.Version{Name: "v1"}).Internal() || !(&model.Version{}).Internal() {
		t.Error("the version without a name, and only that, is the internal one")
	}
}

// TestKindVerbs checks a kind's verbs, and everything derived from them.
func TestKindVerbs(t *testing.T) {
	type facts struct {
		Get, UpdateStatus, ApplyStatus bool // whether the client has the verb
		Lister, Informer               bool
	}
	for _, c := range []struct {
		name string
		kind model.Kind
		want facts
	}{
		{"all", model.Kind{HasStatus: true}, facts{Get: true, UpdateStatus: true, ApplyStatus: true, Lister: true, Informer: true}},
		{"no status", model.Kind{}, facts{Get: true, Lister: true, Informer: true}},
		{"no verbs", model.Kind{NoVerbs: true, HasStatus: true}, facts{Lister: true}},
		{"no get", model.Kind{Skip: []string{"get"}}, facts{Lister: true, Informer: true}},
		{"no watch", model.Kind{Skip: []string{"watch"}}, facts{Get: true, Lister: true}},
		{"no list", model.Kind{Skip: []string{"list"}}, facts{Get: true}},
		{"neither get nor watch", model.Kind{Skip: []string{"get", "watch"}}, facts{}},
		{"no verbs, and no list either", model.Kind{NoVerbs: true, Skip: []string{"list"}}, facts{}},
		{"no updateStatus", model.Kind{HasStatus: true, Skip: []string{"updateStatus"}}, facts{Get: true, ApplyStatus: true, Lister: true, Informer: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := c.kind
			got := facts{k.Has("get"), k.Has("updateStatus"), k.Has("applyStatus"), k.HasLister(), k.HasInformer()}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMarked(t *testing.T) {
	k := model.Kind{NoVerbs: true, Skip: []string{"watch"}}
	if !k.Marked("get") || !k.Marked("updateStatus") || k.Marked("watch") {
		t.Error("only the verbs in Skip are taken away by markers")
	}
}

func TestOnSubresource(t *testing.T) {
	for _, c := range []struct {
		name   string
		method model.Method
		want   bool
	}{
		{"none", model.Method{Verb: "update"}, false},
		{"update", model.Method{Verb: "update", Subresource: "scale"}, true},
		{"list", model.Method{Verb: "list", Subresource: "parts"}, true},
		{"patch names it in the call", model.Method{Verb: "patch", Subresource: "scale"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.method.OnSubresource(); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// full returns a model with something in every field.
func full() *model.API {
	pos := token.Position{Filename: "a.go", Line: 1}
	marker := model.Marker{Name: "a", Value: "b", HasValue: true, Pos: pos}
	pkg := model.Package{Path: "example.com/a/v1", Alias: "av1"}
	g := &model.Group{Name: "a.example.com", Dir: "a"}
	v := &model.Version{
		Group: g, Name: "v1", GroupGoName: "A", Types: pkg, GroupVersionVar: "X", HasResource: true, Viewed: true,
		Off: map[string]bool{"client-gen": true}, Markers: []model.Marker{marker}, Pos: pos,
	}
	k := &model.Kind{
		Version: v, Name: "B", Doc: "B is.", Names: model.NewPlurals(nil).KindNames("B"), Resource: "bs", Namespaced: true, NoVerbs: true,
		Skip: []string{"get"}, HasStatus: true, ItemsArePointers: true, Markers: []model.Marker{marker}, Pos: pos,
		View: &model.View{Of: model.TypeRef{Package: pkg, Name: "A"}, Types: pkg, Numbers: "a=1", Metadata: map[string]string{"name": "Name"}, OwnList: true},
	}
	ref := model.TypeRef{Package: pkg, Name: "C"}
	k.Methods = []*model.Method{{Kind: k, Name: "M", Verb: "get", Subresource: "s", Input: ref, Result: ref, InputParam: "c"}}
	v.Kinds, g.Versions = []*model.Kind{k}, []*model.Version{v}
	of := &model.Type{
		Form: model.Verbatim, Ref: ref, Key: &model.Type{Form: model.Named, Ref: ref}, Elem: &model.Type{Form: model.Map},
		Parts: []model.TypePart{{Text: "[1]", Type: &model.Type{Form: model.Slice}}},
	}
	p := &model.StructPackage{
		Types: pkg, Group: "a.example.com", Version: "v1", GroupDir: "a", VersionDir: "v1", GroupVersionVar: "X", Pos: pos,
	}
	field := &model.Field{
		Name: "D", JSON: "d", Embedded: true, OmitEmpty: true, Type: of,
		Promoted: []*model.Field{{Name: "E", JSON: "e", Type: of}},
	}
	p.Structs = []*model.Struct{{Package: p, Name: "B", Kind: k, Subresources: []string{"status"}, Fields: []*model.Field{field}, Pos: pos}}
	own := &model.APIPackage{
		Types: pkg, Name: "v1", Dir: "/a/v1", Module: model.Module{Path: "example.com/a", Dir: "/a", Main: true}, Version: v, Markers: []model.Marker{marker}, Pos: pos,
		Copies: &model.Copies{Types: []*model.CopiedType{{
			Name: "B", Reference: true, Method: true, ByValue: true, Objects: []model.TypeRef{{Package: pkg, Name: "Object"}}, Pos: pos,
			Into: &model.Copy{
				Form: model.CopyStruct, Type: of, Underlying: of, Method: "DeepCopyB", Elem: &model.Copy{Form: model.CopyAssign},
				Fields: []*model.CopiedField{{Name: "F", Copy: &model.Copy{Form: model.CopyMap}}},
			},
		}}, Unread: true},
		Register: &model.Register{Group: "a.example.com", Version: "v1", Types: []string{"B"}, HasKind: true},
		CRDs:     []*model.CRD{fullCRD(pos)},
	}
	own.Views = []*model.Kind{k}
	own.TypeDecls = []*model.TypeDecl{{
		Package: own, Name: "B", Doc: "B is.", Markers: []model.Marker{marker}, Kind: k, Alias: true, Generic: true, Struct: true, Type: of,
		Methods: []string{"M"}, Pos: pos,
		Fields: []*model.FieldDecl{{
			Name: "D", Embedded: true, JSON: "d", Inline: true, OmitEmpty: true, Tag: "t", Type: of, Doc: "D is.", Markers: []model.Marker{marker}, Pos: pos,
		}},
	}}
	manifests := &model.Manifests{
		Module: own.Module, MutatingName: "m", ValidatingName: "v",
		Permissions: []model.Permission{{
			Groups: []string{"a"}, Resources: []string{"b"}, ResourceNames: []string{"c"}, Verbs: []string{"get"}, URLs: []string{"/d"},
			Namespace: "n", RoleName: "r", Pos: pos,
		}},
		Webhooks: []model.Webhook{{Name: "w", Mutating: true, Object: map[string]any{"a": []any{"b"}}, Pos: pos}},
	}
	return &model.API{Groups: []*model.Group{g}, Packages: []*model.APIPackage{own}, Structs: []*model.StructPackage{p}, Manifests: []*model.Manifests{manifests}}
}

// fullCRD returns a definition with something in every field.
func fullCRD(pos token.Position) *model.CRD {
	n, f, text, yes := int64(1), 1.5, "x", true
	leaf := &model.Schema{Type: "string"}
	s := &model.Schema{
		Type: "object", Format: "f", Title: "t", Description: "d", Properties: map[string]*model.Schema{"a": leaf}, Required: []string{"a"},
		Items: leaf, AdditionalProperties: leaf, AnyProperties: true, AllOf: []*model.Schema{leaf}, AnyOf: []*model.Schema{leaf},
		Default: map[string]any{"a": []any{"b"}}, Example: "e", Enum: []any{map[string]any{"a": "b"}},
		Maximum: &f, Minimum: &f, MultipleOf: &f, ExclusiveMaximum: true, ExclusiveMinimum: true, MaxLength: &n, MinLength: &n,
		Pattern: "p", MaxItems: &n, MinItems: &n, UniqueItems: true, MaxProperties: &n, MinProperties: &n, Nullable: true,
		ExternalDocs: &model.ExternalDocs{URL: "u", Description: "d"}, PreserveUnknownFields: true, EmbeddedResource: true, IntOrString: true,
		ListType: "map", MapType: "atomic", ListMapKeys: []string{"a"},
		Validations: []model.Rule{{Rule: "r", Message: "m", MessageExpression: "e", Reason: "r", FieldPath: "p", OptionalOldSelf: &yes}},
	}
	return &model.CRD{
		Group: "a.example.com", Kind: "B", ListKind: "BList", Plural: "bs", Singular: "b", ShortNames: []string{"b"}, Categories: []string{"all"},
		Scope: "Cluster", Annotations: map[string]string{"a": "b"}, Labels: map[string]string{"a": "b"}, Pos: pos,
		Versions: []*model.CRDVersion{{
			Name: "v1", Served: true, Storage: true, Deprecated: true, Warning: &text, Status: true, Selectable: []string{".a"}, Schema: s, Pos: pos,
			Columns: []model.Column{{Name: "A", Type: "string", Format: "f", Description: "d", JSONPath: ".a", Priority: 1}},
			Scale:   &model.Scale{Spec: ".a", Status: ".b", Selector: &text},
		}},
	}
}

// TestClone compares a copy, changes everything in it, and finds the original as it was.
func TestClone(t *testing.T) {
	api := full()
	// check reports fields that are not set: then this test does not see whether they are
	// copied.
	var check func(v reflect.Value, path string)
	seen := map[any]bool{}
	check = func(v reflect.Value, path string) {
		if _, within, _ := strings.Cut(path, ".Type."); strings.Contains(within, ".") || strings.Contains(path, ".Promoted[") {
			return // the outer one has everything
		}
		if _, within, _ := strings.Cut(path, ".Into."); strings.Contains(within, ".") && !strings.HasSuffix(within, ".Form") {
			return
		}
		if _, within, _ := strings.Cut(path, ".Schema."); strings.Contains(within, ".") {
			return
		}
		if v.IsZero() {
			t.Errorf("%s is not set", path)
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if !seen[v.Interface()] {
				seen[v.Interface()] = true
				check(v.Elem(), path)
			}
		case reflect.Slice:
			check(v.Index(0), path+"[0]")
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[token.Position]() {
				return
			}
			for i := range v.NumField() {
				check(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		}
	}
	check(reflect.ValueOf(api), "API")

	clone := api.Clone()
	if d := cmp.Diff(api, clone); d != "" {
		t.Fatal(d)
	}
	v := clone.Groups[0].Versions[0]
	k := v.Kinds[0]
	if v.Group != clone.Groups[0] || k.Version != v || k.Methods[0].Kind != k {
		t.Error("the copy leads to the original")
	}
	p := clone.Structs[0]
	f := p.Structs[0].Fields[0]
	if p.Structs[0].Package != p || p.Structs[0].Kind != k {
		t.Error("the copy of a struct leads to the original")
	}
	own := clone.Packages[0]
	if own.Version != v {
		t.Error("the copy of a package leads to the original")
	}
	decl := own.TypeDecls[0]
	if decl.Package != own || decl.Kind != k {
		t.Error("the copy of a declaration leads to the original")
	}
	decl.Markers[0].Name, decl.Methods[0], decl.Type.Form, decl.Fields[0].Type.Form, decl.Fields[0].Markers[0].Name = "x", "x", model.Map, model.Map, "x"
	decl.Fields[0].Name, decl.Fields[0], decl.Name, own.TypeDecls[0] = "x", nil, "x", nil
	own.Name, own.Markers[0].Name = "x", "x"
	into := own.Copies.Types[0].Into
	into.Type.Form, into.Underlying.Form, into.Elem.Form, into.Fields[0].Form, into.Fields[0].Name, into.Form = model.Map, model.Map, "x", "x", "x", "x"
	own.Copies.Types[0].Objects[0].Name, own.Copies.Types[0].Name, own.Copies.Unread = "x", "x", false
	own.Register.Types[0], own.Register.Group = "x", "x"
	changeCRD(own.CRDs[0])
	f.Type.Parts[0].Type.Form, f.Type.Parts[0].Text, f.Type.Key.Form, f.Type.Elem.Form = model.Map, "x", model.Map, model.Slice
	f.Type.Form, f.Promoted[0].Name, f.Name, p.Structs[0].Subresources[0], p.Group = model.Map, "x", "x", "x", "x"
	k.Methods[0].Name, k.Skip[0], k.Markers[0].Name, k.Name = "x", "x", "x", "x"
	v.Off["x"], v.Markers[0].Name, v.Name, v.Group.Name = true, "x", "x", "x"
	k.Methods[0], v.Kinds[0], clone.Groups[0].Versions[0], clone.Groups[0] = nil, nil, nil, nil
	if d := cmp.Diff(full(), api); d != "" {
		t.Errorf("the original has changed: %s", d)
	}
}

// changeCRD changes what a definition leads to.
func changeCRD(c *model.CRD) {
	v := c.Versions[0]
	s := v.Schema
	s.Properties["a"].Type, s.Properties["b"], s.Required[0], s.AllOf[0], s.AnyOf[0] = "x", nil, "x", nil, nil
	s.Default.(map[string]any)["a"].([]any)[0], s.Enum[0].(map[string]any)["a"] = "x", "x"
	*s.Maximum, *s.Minimum, *s.MultipleOf = 0, 0, 0
	*s.MaxLength, *s.MinLength, *s.MaxItems, *s.MinItems, *s.MaxProperties, *s.MinProperties = 0, 0, 0, 0, 0, 0
	s.ExternalDocs.URL, s.ListMapKeys[0], s.Validations[0].Rule, *s.Validations[0].OptionalOldSelf = "x", "x", "x", false
	v.Columns[0].Name, v.Selectable[0], *v.Warning, *v.Scale.Selector, v.Scale.Spec, v.Name = "x", "x", "x", "x", "x", "x"
	c.ShortNames[0], c.Categories[0], c.Annotations["a"], c.Labels["a"], c.Kind = "x", "x", "x", "x", "x"
	c.Versions[0] = nil
}

func TestWithout(t *testing.T) {
	off := &model.Version{Name: "v1", Off: map[string]bool{"client-gen": true}}
	on := &model.Version{Name: "v2"}
	api := &model.API{Groups: []*model.Group{
		{Dir: "a", Versions: []*model.Version{off, on}},
		{Dir: "b", Versions: []*model.Version{off}},
	}}
	got := api.Without("client-gen")
	if len(got.Groups) != 1 || got.Groups[0].Dir != "a" || !slices.Equal(got.Versions(), []*model.Version{on}) {
		t.Errorf("got %+v", got.Groups)
	}
	if len(api.Groups[0].Versions) != 2 || len(api.Without("lister-gen").Versions()) != 3 {
		t.Error("too much is removed")
	}
}
