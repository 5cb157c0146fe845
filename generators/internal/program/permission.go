package program

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// verbs are the verbs that API servers know; others can have a meaning for admission.
var verbs = []string{
	"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind", "escalate", "impersonate",
	"approve", "sign", "attest", "head", "post", "put", "options", "*",
}

// permission reads a marker +kubebuilder:rbac.
func (r *reader) permission(m *kubemarker.Marker) {
	p := model.Permission{
		Groups: m.Strings("groups"), Resources: m.Strings("resources"), ResourceNames: m.Strings("resourceNames"),
		Verbs: m.Strings("verbs"), URLs: m.Strings("urls"),
		Namespace: m.Argument("namespace"), RoleName: m.Argument("roleName"), Pos: m.Pos,
	}
	r.to.Permissions = append(r.to.Permissions, p)
	r.checkScope(m, p)
	r.checkVerbs(m, p)
	for _, group := range p.Groups {
		if name, version, ok := strings.Cut(group, "/"); ok {
			r.word(m, "groups", group, name, "API group %q contains the version %s, so it matches nothing", group, version)
		}
	}
	for _, resource := range p.Resources {
		if lower := strings.ToLower(resource); lower != resource {
			r.word(m, "resources", resource, lower, "resource %q is not in lower case, so it matches nothing", resource)
		}
	}
}

// checkScope checks what a permission is for, as API servers do.
func (r *reader) checkScope(m *kubemarker.Marker, p model.Permission) {
	resource := ""
	for _, name := range []string{"groups", "resources", "resourceNames"} {
		if len(m.Strings(name)) > 0 {
			resource = name
			break
		}
	}
	switch {
	case len(p.URLs) > 0 && resource != "":
		r.Diags.Suspectf(m.At("urls"), "rule has urls and %s, which API servers refuse; write a marker for each", resource)
	case len(p.URLs) > 0 && p.Namespace != "":
		r.Diags.Suspectf(m.At("namespace"), "urls are in no namespace, so API servers refuse them in a role of one; remove namespace")
	case len(p.URLs) == 0 && len(p.Groups) == 0:
		r.Diags.Suspectf(m.Pos, "rule has neither groups nor urls, so API servers refuse it; add groups, with groups=\"\" for the core group")
	case len(p.URLs) == 0 && len(p.Resources) == 0:
		r.Diags.Suspectf(m.Pos, "rule has neither resources nor urls, so API servers refuse it; add resources, as in %s", m.Example)
	}
	if len(p.Verbs) == 0 {
		r.Diags.Suspectf(m.At("verbs"), "rule has no verbs, so API servers refuse it; add some, as in %s", m.Example)
	}
	if why := validation.IsDNS1123Label(p.Namespace); p.Namespace != "" && len(why) > 0 {
		r.Diags.Suspectf(m.At("namespace"), "invalid namespace %q: %s", p.Namespace, why[0])
	}
	if why := path.IsValidPathSegmentName(p.RoleName); len(why) > 0 {
		r.Diags.Suspectf(m.At("roleName"), "invalid roleName %q: %s", p.RoleName, why[0])
	}
}

// checkVerbs warns about verbs that no request has.
func (r *reader) checkVerbs(m *kubemarker.Marker, p model.Permission) {
	for _, verb := range p.Verbs {
		lower := strings.ToLower(verb)
		switch {
		case slices.Contains(verbs, verb):
		case strings.ContainsAny(verb, " |"):
			r.word(m, "verbs", verb, strings.Join(strings.FieldsFunc(verb, func(c rune) bool { return c == ' ' || c == '|' }), ";"), "verb %q matches nothing; separate verbs by semicolons", verb)
		case lower != verb:
			r.word(m, "verbs", verb, lower, "verb %q is not in lower case, so it matches nothing", verb)
		default:
			if meant := marker.Nearest(verb, verbs); meant != "" {
				r.word(m, "verbs", verb, meant, "unknown verb %q", verb)
			}
		}
	}
}

// word warns about a word in an argument, with the one that was probably meant.
func (r *reader) word(m *kubemarker.Marker, argument, old, meant, format string, args ...any) {
	pos := m.At(argument)
	start := pos.Column - m.Pos.Column
	var edits []diag.Edit
	if i := strings.Index(m.Text[start:], old); i >= 0 {
		pos.Column += i
		edits = []diag.Edit{{Line: pos.Line, Column: pos.Column, Old: old, New: meant}}
	}
	r.Diags.Fix(edits...).Warnf(pos, format+"; did you mean %s?", append(args, meant)...)
}
