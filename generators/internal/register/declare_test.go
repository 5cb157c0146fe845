package register_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
	"github.com/listwatch/listwatch/generators/internal/register"
	"github.com/listwatch/listwatch/generators/model"
)

// groups is an archive with packages that declare different things about their group.
var groups = "-- gv/none/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") +
	"-- gv/register/v1/doc.go --\n// +k8s:register-gen=package\npackage v1\n-- gv/register/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") +
	"-- gv/norole/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") + "var SchemeGroupVersion, Resource int\n" +
	"-- gv/unmarked/v1/x.go --\npackage v1\n" +
	"-- gv/usual/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") + "var SchemeGroupVersion, x int\nfunc Resource() {}\nfunc AddToScheme() {}\n" +
	"-- gv/kubebuilder/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") + "var (\n\tGroupVersion, AddToScheme int\n)\n" +
	"-- gv/both/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") + "const GroupVersion, SchemeGroupVersion, AddToScheme = 1, 2, 3\n" +
	"-- gv/resource/v1/x.go --\n" + loadtest.Kind("Shoe", "", "") + "var GroupVersion, AddToScheme int\nfunc Resource() {}\n"

// TestDeclare finds the package's declarations about its group.
func TestDeclare(t *testing.T) {
	m := loadtest.New(t, groups)
	declare := func(clients bool) (*model.API, []string) {
		var sources []kinds.Source
		for _, p := range m.Below("gv") {
			sources = append(sources, kinds.Source{Package: p})
		}
		var diags diag.List
		api := kinds.Read(sources, kinds.Options{Diags: &diags}).API
		register.Declare(api, m.Packages, register.Plan(m.Packages, false, new(diag.List)), clients, &diags)
		return api, m.Lines(t, &diags)
	}
	api, faults := declare(true)
	got := map[string]string{}
	for _, v := range api.Versions() {
		got[v.Group.Dir] = fmt.Sprint(v.GroupVersionVar, " ", v.HasResource)
	}
	want := map[string]string{
		"none":        "SchemeGroupVersion false",
		"register":    "SchemeGroupVersion true",
		"norole":      "SchemeGroupVersion true",
		"usual":       "SchemeGroupVersion true",
		"kubebuilder": "GroupVersion false",
		"both":        "SchemeGroupVersion false",
		"resource":    "GroupVersion true",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	checkLines(t, "faults", faults, []string{
		"gv/none/v1/x.go:1:1: package example.com/m/gv/none/v1 does not declare variable SchemeGroupVersion and function AddToScheme, which generated code uses; declare it as register.go of ",
		"gv/norole/v1/x.go:1:1: package example.com/m/gv/norole/v1 does not declare function AddToScheme, which generated code uses; ",
	})
	_, faults = declare(false)
	checkLines(t, "faults without clients", faults, []string{
		"gv/none/v1/x.go:1:1: package example.com/m/gv/none/v1 does not declare variable SchemeGroupVersion, which generated code uses; ",
	})
}

// checkLines compares the beginnings of lines with the expected ones.
func checkLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%s:\n%s", what, cmp.Diff(want, got))
	}
}
