package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/listwatch/listwatch/generators"
)

// TestParseInput checks that packages have client-gen's names.
func TestParseInput(t *testing.T) {
	const base = "example.com/apis"
	for _, c := range []struct {
		name, base, give    string
		pkg, group, version string
		fault               bool
	}{
		{name: "usual", base: base, give: "apps/v1", pkg: "example.com/apis/apps/v1", group: "apps", version: "v1"},
		{name: "group with dots", base: base, give: "shop.example.com/v1", pkg: "example.com/apis/shop.example.com/v1", group: "shop.example.com", version: "v1"},
		{name: "folders above", base: base, give: "a/b/apps/v1", pkg: "example.com/apis/a/b/apps/v1", group: "apps", version: "v1"},
		{name: "internal version", base: base, give: "apps/", pkg: "example.com/apis/apps", group: "apps"},
		{name: "internal version below directories", base: base, give: "a/apps/", pkg: "example.com/apis/a/apps", group: "apps"},
		{name: "no slash", base: base, give: "apps", pkg: "example.com/apis/apps", group: "apps"},
		{name: "no group", base: base, give: "/v1", pkg: "example.com/apis/core/v1", group: "core", version: "v1"},
		{name: "nothing", base: base, give: "", fault: true},
		{name: "only a slash", base: base, give: "/", fault: true},
		{name: "no base", base: "", give: "example.com/apis/apps/v1", pkg: "example.com/apis/apps/v1", group: "apps", version: "v1"},
		{name: "base with a slash", base: base + "/", give: "apps/v1", pkg: "example.com/apis/apps/v1", group: "apps", version: "v1"},
		{name: "directory as base", base: "./apis", give: "apps/v1", pkg: "./apis/apps/v1", group: "apps", version: "v1"},
		{name: "current directory as base", base: ".", give: "apps/v1", pkg: "./apps/v1", group: "apps", version: "v1"},
		{name: "absolute directory as base", base: "/src/apis", give: "apps/v1", pkg: "/src/apis/apps/v1", group: "apps", version: "v1"},
		{name: "parent directory as base", base: "../apis", give: "apps/v1", pkg: "../apis/apps/v1", group: "apps", version: "v1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseInput(c.base, c.give)
			if c.fault {
				if !errors.Is(err, generators.ErrUsage) {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(generators.GroupVersionInput{Package: c.pkg, Group: c.group, Version: c.version}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestClientsetSet completes the options of a clientset from its flags.
func TestClientsetSet(t *testing.T) {
	usual := generators.ClientsetOptions{Name: "versioned", APIPath: "/apis"}
	with := func(change func(o *generators.ClientsetOptions)) generators.ClientsetOptions {
		o := usual
		change(&o)
		return o
	}
	group := generators.GroupVersionInput{Package: "example.com/apis/apps/v1", Group: "apps", Version: "v1"}
	for _, c := range []struct {
		name   string
		args   []string
		want   generators.ClientsetOptions
		faults []string // parts of the error
	}{
		{name: "none", want: usual},
		{
			name: "packages as client-gen names them", args: []string{"--input=apps/v1", "--input-base=example.com/apis"},
			want: with(func(o *generators.ClientsetOptions) {
				o.Name, o.Groups = "internalclientset", []generators.GroupVersionInput{group}
			}),
		},
		{
			name: "in their order", args: []string{"--input-base=b", "--input=z/v1,a/v1", "-n", "c", "--input=m/v1"},
			want: with(func(o *generators.ClientsetOptions) {
				o.Name = "c"
				for _, g := range []string{"z", "a", "m"} {
					o.Groups = append(o.Groups, generators.GroupVersionInput{Package: "b/" + g + "/v1", Group: g, Version: "v1"})
				}
			}),
		},
		{name: "no fake", args: []string{"--fake-clientset=false"}, want: with(func(o *generators.ClientsetOptions) { o.NoFake = true })},
		{
			name: "all else", args: []string{"--clientset-only", "--prefers-protobuf", "--apply-configuration-package=a", "--clientset-api-path=/b"},
			want: with(func(o *generators.ClientsetOptions) {
				o.Only, o.PrefersProtobuf, o.ApplyConfigurations, o.APIPath = true, true, "a", "/b"
			}),
		},
		{
			name: "types", args: []string{"--included-types-overrides=apps/v1/A,core/v1/B", "--included-types-overrides=apps/v1/C,apps/D"},
			want: with(func(o *generators.ClientsetOptions) {
				o.IncludedTypes = map[string][]string{"apps/v1": {"A", "C"}, "core/v1": {"B"}, "apps/": {"D"}}
			}),
		},
		{name: "path without a slash before it", args: []string{"--clientset-api-path=apis"}, faults: []string{"--clientset-api-path=apis"}},
		{name: "path with a slash after it", args: []string{"--clientset-api-path=/apis/"}, faults: []string{"--clientset-api-path=/apis/"}},
		{name: "empty path", args: []string{"--clientset-api-path="}, faults: []string{"--clientset-api-path="}},
		{name: "type without a group", args: []string{"--included-types-overrides=A"}, faults: []string{`"A" is not group/version/type`}},
		{name: "type with too much before it", args: []string{"--included-types-overrides=a/b/v1/A"}, faults: []string{`"a/b/v1/A" is not group/version/type`}},
		{
			name: "several faults", args: []string{"--input=/", "--included-types-overrides=A,B"},
			faults: []string{`--input: "/"`, `"A" is not`, `"B" is not`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFlags("gen-test")
			var o generators.ClientsetOptions
			f.Common(&o.Options)
			flags := f.Clientset(&o)
			if err := f.seal(); err != nil {
				t.Fatal(err)
			}
			if err := f.set.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			err := flags.Set()
			if len(c.faults) > 0 {
				if !errors.Is(err, generators.ErrUsage) {
					t.Fatalf("got %v", err)
				}
				for _, part := range c.faults {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%v does not say %q", err, part)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, o, cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestInformerFlags parses the flags of informers into options.
func TestInformerFlags(t *testing.T) {
	f := newFlags("gen-test")
	var o generators.InformerOptions
	f.Common(&o.Options)
	f.Informer(&o)
	err := f.set.Parse([]string{"--versioned-clientset-package=a", "--internal-clientset-package=b", "--listers-package=c", "--single-directory"})
	if err != nil {
		t.Fatal(err)
	}
	want := generators.InformerOptions{VersionedClientset: "a", InternalClientset: "b", Listers: "c", SingleDirectory: true}
	if d := cmp.Diff(want, o); d != "" {
		t.Error(d)
	}
}
