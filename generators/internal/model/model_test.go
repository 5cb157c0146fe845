package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/model"
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

// TestKindVerbs asks a kind for its verbs, and for what follows from them.
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
