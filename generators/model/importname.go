package model

import (
	"go/token"
	gotypes "go/types"
	"path"
	"regexp"
	"strings"
)

// ImportNames returns the names of imports in a file that is part of a package of the user, by path.
// Versions are named with their group, as in metav1, and others by the last element of their path.
// Where several have one name, or taken reports that something else has it, it begins with the
// elements above.
func ImportNames(paths []string, taken func(name string) bool) map[string]string {
	elements := map[string]int{} // of the path in the name
	names := map[string]string{}
	for _, p := range paths {
		elements[p] = 1
		if version.MatchString(path.Base(p)) && strings.Contains(p, "/") {
			elements[p] = 2
		}
	}
	for again := true; again; {
		again = false
		users := map[string][]string{}
		for _, p := range paths {
			names[p] = importName(p, elements[p])
			users[names[p]] = append(users[names[p]], p)
		}
		for name, list := range users {
			if len(list) == 1 && !token.IsKeyword(name) && gotypes.Universe.Lookup(name) == nil && !taken(name) {
				continue
			}
			for _, p := range list {
				if elements[p] <= strings.Count(p, "/") {
					elements[p]++
					again = true
				} else if len(list) == 1 {
					names[p] = name + "pkg"
				}
			}
		}
	}
	return names
}

// version matches the last elements of paths that do not name a package alone.
var version = regexp.MustCompile(`^v[0-9]+[a-z0-9]*$`)

// importName returns the last n elements of a path as an identifier.
func importName(p string, n int) string {
	all := strings.Split(p, "/")
	name := strings.ToLower(strings.Join(all[max(0, len(all)-n):], ""))
	return Identifier(name)
}
