package rbac

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Missing returns the permissions in wanted that owned does not contain, one line for each, sorted, in the form
// of the real server's errors. It is empty if owned covers everything.
func Missing(owned, wanted []rbacv1.PolicyRule) []string {
	// Verbs of one resource are on one line; a path has a line for each verb.
	verbs := map[string][]string{}
	var lines []string
	for _, rule := range wanted {
		for _, part := range split(rule) {
			if slices.ContainsFunc(owned, func(o rbacv1.PolicyRule) bool { return covers(o, part) }) {
				continue
			}
			key := partOf(part)
			if len(part.NonResourceURLs) > 0 {
				lines = append(lines, key+describe("Verbs", part.Verbs)+"}")
			} else if !slices.Contains(verbs[key], part.Verbs[0]) {
				verbs[key] = append(verbs[key], part.Verbs[0])
			}
		}
	}
	for key, verbs := range verbs {
		lines = append(lines, key+describe("Verbs", verbs)+"}")
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// split returns rules with one verb, and one resource of one group with at most one name, or one path.
func split(rule rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var out []rbacv1.PolicyRule
	names := [][]string{nil}
	if len(rule.ResourceNames) > 0 {
		names = nil
		for _, name := range rule.ResourceNames {
			names = append(names, []string{name})
		}
	}
	for _, group := range rule.APIGroups {
		for _, resource := range rule.Resources {
			for _, verb := range rule.Verbs {
				for _, name := range names {
					out = append(out, rbacv1.PolicyRule{
						APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: name, Verbs: []string{verb},
					})
				}
			}
		}
	}
	for _, path := range rule.NonResourceURLs {
		for _, verb := range rule.Verbs {
			out = append(out, rbacv1.PolicyRule{NonResourceURLs: []string{path}, Verbs: []string{verb}})
		}
	}
	return out
}

// covers reports whether a rule grants the one permission of a part. A resource "*/scale" covers the subresource
// of any resource; "pods/*" is only itself.
func covers(rule, part rbacv1.PolicyRule) bool {
	if !has(rule.Verbs, part.Verbs[0]) {
		return false
	}
	if len(part.NonResourceURLs) > 0 {
		path := part.NonResourceURLs[0]
		return slices.ContainsFunc(rule.NonResourceURLs, func(pattern string) bool {
			prefix, open := strings.CutSuffix(pattern, "*")
			return pattern == path || open && strings.HasPrefix(path, prefix)
		})
	}
	resource, sub, _ := strings.Cut(part.Resources[0], "/")
	return has(rule.APIGroups, part.APIGroups[0]) && hasResource(rule.Resources, resource, sub) &&
		(len(rule.ResourceNames) == 0 || len(part.ResourceNames) > 0 && slices.Contains(rule.ResourceNames, part.ResourceNames[0]))
}

// partOf describes a part, except for its verb, in the form of errors.
func partOf(part rbacv1.PolicyRule) string {
	text := "{"
	for _, field := range []struct {
		name   string
		values []string
	}{
		{"APIGroups", part.APIGroups},
		{"Resources", part.Resources},
		{"NonResourceURLs", part.NonResourceURLs},
		{"ResourceNames", part.ResourceNames},
	} {
		if len(field.values) > 0 {
			text += describe(field.name, field.values) + ", "
		}
	}
	return text
}

func describe(name string, values []string) string { return fmt.Sprintf("%s:%q", name, values) }
