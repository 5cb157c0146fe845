package fault

import (
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// CoreGroup selects the group whose name is empty.
const CoreGroup = control.CoreGroup

// Match selects requests: all fields that are set must match. apitest.Match, the exported form,
// describes the fields.
type Match struct{ Verb, Group, Resource, Namespace, Name, Path, User string }

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

// matchName reports whether want is empty or equal to got.
func matchName(want, got string) bool { return want == "" || want == got }

// matchPart reports whether want is "*" or equal to got.
func matchPart(want, got string) bool { return want == "*" || want == got }
