package manifest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// Roles returns the text of the roles that grant permissions: a ClusterRole or Role for each name and namespace, in the
// order of these. RoleName is the name of those for permissions without one. The text is empty without permissions.
func Roles(permissions []model.Permission, roleName string) ([]byte, error) {
	type role struct{ namespace, name string }
	byRole := map[role][]grant{}
	var roles []role
	for _, p := range permissions {
		r := role{p.Namespace, cmp.Or(p.RoleName, roleName)}
		if byRole[r] == nil {
			roles = append(roles, r)
		}
		byRole[r] = append(byRole[r], grants(p)...)
	}
	slices.SortFunc(roles, func(a, b role) int {
		return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.name, b.name))
	})
	var text []byte
	for _, r := range roles {
		kind, metadata := "ClusterRole", object{{"name", r.name}}
		if r.namespace != "" {
			kind, metadata = "Role", append(metadata, member{"namespace", r.namespace})
		}
		var rules []object
		for _, g := range combined(byRole[r]) {
			rules = append(rules, g.rule())
		}
		var err error
		text, err = marshal(append(text, "---\n"...), object{
			{"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", kind}, {"metadata", metadata}, {"rules", rules},
		})
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}

// grant is a rule of a role. Its lists are sorted, without duplicates.
type grant struct{ groups, resources, names, urls, verbs []string }

// grants returns what a permission grants, for each resource.
func grants(p model.Permission) []grant {
	all := grant{names: set(p.ResourceNames), urls: set(p.URLs), verbs: set(p.Verbs)}
	for _, group := range p.Groups {
		if group == "core" {
			group = ""
		}
		all.groups = append(all.groups, group)
	}
	all.groups = set(all.groups)
	if len(p.Resources) == 0 {
		return []grant{all}
	}
	var list []grant
	for _, resource := range p.Resources {
		g := all
		g.resources = []string{resource}
		list = append(list, g)
	}
	return list
}

// set returns the values, sorted, each once.
func set(values []string) []string {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}

// combined combines the rules that differ in one list: first those that differ in their verbs, then in resources, in groups, and
// in URLs. The order of these steps, and of the result, is controller-gen's. Where its steps lead to rules that differ in their verbs
// again, controller-gen keeps one of them; here their verbs are combined.
func combined(list []grant) []grant {
	lists := func(g *grant) []*[]string { return []*[]string{&g.groups, &g.resources, &g.names, &g.urls, &g.verbs} }
	const groups, resources, urls, verbs = 0, 1, 3, 4
	for _, step := range []int{verbs, resources, verbs, groups, verbs, urls, verbs} {
		index := map[string]int{}
		var result []grant
		for _, g := range list {
			key := g.key(step)
			i, again := index[key]
			if !again {
				index[key] = len(result)
				result = append(result, g)
				continue
			}
			to := lists(&result[i])[step]
			*to = set(append(slices.Clone(*to), *lists(&g)[step]...))
		}
		list = result
	}
	slices.SortStableFunc(list, func(a, b grant) int { return strings.Compare(a.order(), b.order()) })
	return list
}

// key returns a text that rules have in common if they differ at most in one of their lists.
func (g grant) key(except int) string {
	var parts []string
	for i, values := range [][]string{g.groups, g.resources, g.names, g.urls, g.verbs} {
		if i != except {
			parts = append(parts, strings.Join(values, "&"))
		}
	}
	return strings.Join(parts, " + ")
}

// order returns the text by which rules are sorted.
func (g grant) order() string {
	var parts []string
	for _, values := range [][]string{g.groups, g.resources, g.names, g.urls} {
		parts = append(parts, strings.Join(values, "&"))
	}
	return strings.Join(parts, " + ")
}

// rule returns a rule as an object.
func (g grant) rule() object {
	var o object
	o = list(o, "apiGroups", g.groups)
	o = list(o, "nonResourceURLs", g.urls)
	o = list(o, "resourceNames", g.names)
	o = list(o, "resources", g.resources)
	switch {
	case slices.Contains(g.verbs, "*"):
		return append(o, member{"verbs", []string{"*"}})
	case len(g.verbs) == 0:
		return append(o, member{"verbs", nil})
	}
	return append(o, member{"verbs", g.verbs})
}
