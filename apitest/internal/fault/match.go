package fault

import "strings"

// CoreGroup stands for the group whose name is empty.
const CoreGroup = "core"

// Match selects requests. Fields that are empty match all; those that are not must all match.
type Match struct {
	// Verb is that of the API, such as "list" or "deletecollection"; for paths that are no
	// resources, it is the method in lower case.
	Verb string
	// Group is a resource's group; CoreGroup is that of pods.
	Group string
	// Resource is a plural ("pods"), with its subresource ("pods/status"), if one is asked
	// for. "*" stands for any of either ("*/status", "pods/*"), also for no subresource.
	Resource  string
	Namespace string
	// Name is that of an object. Requests that carry it only in their body, as those that
	// create objects do, have none.
	Name string
	// Path is that of a URL ("/readyz"), or the beginning of one ("/apis*").
	Path string
	// User is the name of who asks.
	User string
}

func (m Match) matches(a asked) bool {
	return matchName(m.Verb, a.info.Verb) &&
		m.matchesResource(a) &&
		matchName(m.Namespace, a.info.Namespace) &&
		matchName(m.Name, a.info.Name) &&
		m.matchesPath(a.info.Path) &&
		matchName(m.User, a.user)
}

func (m Match) matchesResource(a asked) bool {
	if m.Group == "" && m.Resource == "" {
		return true
	}
	if !a.info.IsResourceRequest {
		return false
	}
	group := a.info.APIGroup
	if group == "" {
		group = CoreGroup
	}
	resource, sub, _ := strings.Cut(m.Resource, "/")
	return matchName(m.Group, group) &&
		(m.Resource == "" || matchPart(resource, a.info.Resource) && matchPart(sub, a.info.Subresource))
}

func (m Match) matchesPath(path string) bool {
	if prefix, ok := strings.CutSuffix(m.Path, "*"); ok {
		return strings.HasPrefix(path, prefix)
	}
	return matchName(m.Path, path)
}

// matchName says whether want is empty or equal to got.
func matchName(want, got string) bool { return want == "" || want == got }

// matchPart says whether want is "*" or equal to got.
func matchPart(want, got string) bool { return want == "*" || want == got }
