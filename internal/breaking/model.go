package breaking

import (
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/generators/model"
)

// verbs are the verbs of clients with the method of each.
var verbs = []struct{ verb, method string }{
	{"create", "Create"}, {"update", "Update"}, {"updateStatus", "UpdateStatus"}, {"delete", "Delete"}, {"deleteCollection", "DeleteCollection"},
	{"get", "Get"}, {"list", "List"}, {"watch", "Watch"}, {"patch", "Patch"}, {"apply", "Apply"}, {"applyStatus", "ApplyStatus"},
}

// Models returns the differences between the kinds of two models, which are versions of the same
// packages. Rename maps the import path of an old package to that of the new one.
func Models(before, after *model.API, rename func(path string) string) []Change {
	var changes []Change
	versions := map[string]*model.Version{}
	for _, v := range after.Versions() {
		versions[v.Types.Path] = v
	}
	for _, v := range before.Versions() {
		is := versions[rename(v.Types.Path)]
		if is == nil {
			for _, k := range v.Kinds {
				changes = append(changes, Change{
					Effect: Go, Group: v.Group.Name, Kind: k.Name, Version: v.Name, Removed: true, Pos: k.Pos,
					Text: "kind has no client any more, because its package is not read or has no markers; keep +genclient",
				})
			}
			continue
		}
		c := client{before: v, after: is}
		c.compare()
		changes = append(changes, c.changes...)
	}
	return changes
}

// client compares the clients of one version.
type client struct {
	before, after *model.Version
	changes       []Change
}

func (c *client) compare() {
	was, is := c.before, c.after
	add := func(effect Effect, format string, args ...any) {
		c.changes = append(c.changes, Change{Effect: effect, Package: is.Types.Path, Text: fmt.Sprintf(format, args...), Pos: is.Pos})
	}
	if was.Group.Name != is.Group.Name {
		add(Clients|Objects, "API group changed from %q to %q; that is another API, to which stored objects do not belong; keep the group", was.Group.Name, is.Group.Name)
	}
	if was.Name != is.Name {
		add(Clients, "version changed from %q to %q; requests for the old one fail; keep it, and add the new one", was.Name, is.Name)
	}
	if was.GoName() != is.GoName() {
		add(Go, "Go name of the group and version changed from %s to %s, with which generated names begin; keep it with +groupGoName", was.GoName(), is.GoName())
	}
	for _, k := range was.Kinds {
		i := slices.IndexFunc(is.Kinds, func(other *model.Kind) bool { return other.Name == k.Name })
		if i < 0 {
			c.changes = append(c.changes, Change{
				Effect: Go, Group: was.Group.Name, Kind: k.Name, Version: was.Name, Removed: true, Pos: k.Pos,
				Text: "kind has no client any more; code that uses its client, lister, informer or fake does not compile; keep +genclient",
			})
			continue
		}
		c.kind(k, is.Kinds[i])
	}
}

func (c *client) kind(was, is *model.Kind) {
	add := func(effect Effect, format string, args ...any) {
		c.changes = append(c.changes, Change{Effect: effect, Group: c.after.Group.Name, Kind: is.Name, Version: c.after.Name, Text: fmt.Sprintf(format, args...), Pos: is.Pos})
	}
	if was.Resource != is.Resource {
		add(Clients, "resource changed from %s to %s; clients that were generated earlier request the old path; keep the name", was.Resource, is.Resource)
	}
	if was.Names.Plural != is.Names.Plural {
		add(Go, "plural changed from %s to %s, which is in the names of generated code; keep it with --plural-exceptions", was.Names.Plural, is.Names.Plural)
	}
	if was.Namespaced != is.Namespaced {
		scope := map[bool]string{true: "Namespaced", false: "Cluster"}
		add(Clients|Go, "scope of the client changed from %s to %s; its methods have other parameters, and request other paths; keep it", scope[was.Namespaced], scope[is.Namespaced])
	}
	for _, v := range verbs {
		if was.Has(v.verb) && !is.Has(v.verb) {
			add(Go, "client has no method %s any more; code that calls it does not compile; keep the verb %s", v.method, v.verb)
		}
	}
	for _, m := range was.Methods {
		i := slices.IndexFunc(is.Methods, func(other *model.Method) bool { return other.Name == m.Name })
		switch {
		case i < 0:
			add(Go, "client has no method %s any more; code that calls it does not compile; keep its marker", m.Name)
		case !sameMethod(m, is.Methods[i]):
			add(Go|Clients, "method %s of the client changed; code that calls it may not compile, or does something else; add a method with another name", m.Name)
		}
	}
}

// sameMethod reports whether two methods have the same request and signature.
func sameMethod(a, b *model.Method) bool {
	return a.Verb == b.Verb && a.Subresource == b.Subresource && a.Input.Name == b.Input.Name && a.Result.Name == b.Result.Name
}
