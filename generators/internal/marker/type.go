package marker

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// Verbs are the verbs of a client, in the order of the generated methods.
var Verbs = []string{
	"create", "update", "updateStatus", "delete", "deleteCollection",
	"get", "list", "watch", "patch", "apply", "applyStatus",
}

var readVerbs = []string{"get", "list", "watch"}

// typeMarkers are the genclient markers.
var typeMarkers = []string{
	"genclient", "genclient:nonNamespaced", "genclient:noVerbs", "genclient:onlyVerbs",
	"genclient:skipVerbs", "genclient:readonly", "genclient:noStatus", "genclient:method",
}

// Type contains the markers above a type.
type Type struct {
	// GenClient reports whether the type has a client.
	GenClient     bool
	NonNamespaced bool
	NoVerbs       bool
	NoStatus      bool
	// Skip contains the verbs that the client does not have.
	Skip    []string
	Methods []Method
	// Resource is the resource's name in paths; empty if it follows from the kind.
	Resource string
	// KubePath and KubeScope are the settings of kubebuilder's resource marker.
	KubePath, KubeScope string
	// KubeAt is its position.
	KubeAt token.Position
	// At is the position of +genclient.
	At token.Position
}

// ParseType parses the markers in the comments above a type.
func ParseType(lines []load.Line, diags *diag.List) Type {
	p := typeParser{diags: diags, seen: map[string]Tag{}}
	for _, t := range Tags(lines) {
		p.read(t)
	}
	p.validate()
	return p.Type
}

type typeParser struct {
	Type
	diags *diag.List
	seen  map[string]Tag // the first marker of each name
	only  []string
	skip  []string
}

// read parses one marker.
func (p *typeParser) read(t Tag) {
	first, again := p.seen[t.Name]
	if !again {
		p.seen[t.Name] = t
	}
	switch {
	case t.Name == "genclient:method":
		if m, ok := parseMethod(t, p.diags); ok {
			p.Methods = append(p.Methods, m)
		}
	case t.Name == "resourceName":
		if again && t.Value != first.Value {
			p.diags.Warnf(t.Pos, "+resourceName=%s contradicts +resourceName=%s at line %d; keep one", t.Value, first.Value, first.Pos.Line)
			return
		}
		p.checkResource(t, t.Value)
		p.Resource = t.Value
	case strings.HasPrefix(t.Name, "kubebuilder:resource"):
		p.readKubebuilder(t)
	case t.Name == "nonNamespaced" && t.Value != "", t.Name == "readonly" && t.Value != "":
		var edits []diag.Edit
		if t.Value == "true" {
			edits = edit(t, 0, "+"+t.Name+"=true", "+genclient:"+t.Name)
		}
		p.diags.Fix(edits...).Errorf(t.Pos, "+%s=%s is no longer supported; use +genclient:%s", t.Name, t.Value, t.Name)
	case strings.HasPrefix(t.Name, "genclient"):
		p.readGenclient(t, first, again)
	}
}

// readGenclient parses a genclient marker other than a method.
func (p *typeParser) readGenclient(t, first Tag, again bool) {
	takesVerbs := t.Name == "genclient:onlyVerbs" || t.Name == "genclient:skipVerbs"
	switch {
	case !slices.Contains(typeMarkers, t.Name):
		hint, meant := suggestMarker(t.Name)
		p.diags.Fix(rename(t, meant)...).Errorf(t.Pos, "unknown marker +%s%s", t.Name, hint)
		return
	case t.Value != "" && t.Name == "genclient":
		p.diags.Errorf(t.Pos, "+genclient takes no value; use +genclient to generate a client, or remove the marker")
		return
	case t.HasValue && !takesVerbs:
		p.diags.Fix(removeValue(t)...).Warnf(t.Pos, "+%s takes no value and applies whatever its value; remove \"=%s\", or the marker", t.Name, t.Value)
	case again && takesVerbs && t.Value != first.Value:
		p.diags.Warnf(t.Pos, "+%s is repeated, and only the first one, at line %d, applies; list all verbs in one marker", t.Name, first.Pos.Line)
		return
	}
	switch t.Name {
	case "genclient":
		if !p.GenClient {
			p.GenClient, p.At = true, t.Pos
		}
	case "genclient:nonNamespaced":
		p.NonNamespaced = true
	case "genclient:noVerbs":
		p.NoVerbs = true
	case "genclient:noStatus":
		p.NoStatus = true
	case "genclient:readonly":
		// combined with onlyVerbs in validate
	case "genclient:onlyVerbs":
		p.only = p.verbs(t)
	case "genclient:skipVerbs":
		p.skip = p.verbs(t)
	}
}

// verbs parses the list of verbs of a marker.
func (p *typeParser) verbs(t Tag) []string {
	var verbs []string
	at := 0
	for v := range strings.SplitSeq(t.Value, ",") {
		if slices.Contains(Verbs, v) {
			verbs = append(verbs, v)
		} else {
			hint, meant := suggestVerb(v)
			p.diags.Fix(editValue(t, at, v, meant)...).Warnf(t.Pos, "unknown verb %q%s", v, hint)
		}
		at += len(v + ",")
	}
	return verbs
}

// readKubebuilder parses path and scope of kubebuilder's resource marker.
func (p *typeParser) readKubebuilder(t Tag) {
	// gengo splits at the first "=", inside the list of settings.
	settings := strings.TrimPrefix(t.Name, "kubebuilder:resource")
	if t.HasValue {
		settings += "=" + t.Value
	}
	p.KubeAt = t.Pos
	for s := range strings.SplitSeq(strings.TrimPrefix(settings, ":"), ",") {
		key, value, _ := strings.Cut(s, "=")
		value = strings.Trim(value, "\"`")
		switch strings.TrimSpace(key) {
		case "path":
			if p.checkResource(t, value) {
				p.KubePath = value
			}
		case "scope":
			p.KubeScope = value
		}
	}
}

// checkResource reports whether a marker's value is a valid resource name.
func (p *typeParser) checkResource(t Tag, value string) bool {
	if len(validation.IsDNS1035Label(value)) == 0 {
		return true
	}
	p.diags.Suspectf(t.Pos, "invalid resource name %q; use lowercase letters, digits and hyphens, and start with a letter, as in databases", value)
	return false
}

// validate checks the markers for contradictions once all are parsed, and combines them.
func (p *typeParser) validate() {
	if _, tried := p.seen["genclient"]; !tried {
		p.useless()
		return
	}
	list := "genclient:onlyVerbs"
	if _, readonly := p.seen["genclient:readonly"]; readonly {
		list = "genclient:readonly"
		for _, v := range p.only {
			if !slices.Contains(readVerbs, v) {
				p.contradiction("genclient:onlyVerbs", "genclient:readonly", v)
			}
		}
		p.only = append(slices.Clone(readVerbs), p.only...)
	}
	for _, v := range p.only {
		if slices.Contains(p.skip, v) {
			p.contradiction("genclient:skipVerbs", list, v)
		}
	}
	if p.NoStatus {
		for _, v := range []string{"updateStatus", "applyStatus"} {
			if slices.Contains(p.only, v) {
				p.contradiction("genclient:onlyVerbs", "genclient:noStatus", v)
			}
		}
	}
	if p.NoVerbs {
		for _, other := range []string{"genclient:onlyVerbs", "genclient:readonly", "genclient:method"} {
			if t, ok := p.seen[other]; ok {
				p.diags.Warnf(t.Pos, "+%s contradicts +genclient:noVerbs at line %d: a client without verbs has no methods; keep one of them", other, p.seen["genclient:noVerbs"].Pos.Line)
			}
		}
	}
	p.Skip = p.skip
	if p.limited() {
		p.Skip = slices.DeleteFunc(slices.Clone(Verbs), func(v string) bool { return slices.Contains(p.only, v) })
	}
	p.validateMethods()
}

// useless reports the markers without effect because there is no +genclient. The first can be
// corrected by adding it.
func (p *typeParser) useless() {
	var tags []Tag
	for name, t := range p.seen {
		if slices.Contains(typeMarkers, name) {
			tags = append(tags, t)
		}
	}
	slices.SortFunc(tags, func(a, b Tag) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
	for i, t := range tags {
		var edits []diag.Edit
		if i == 0 {
			edits = add(t, "+genclient")
		}
		p.diags.Fix(edits...).Warnf(t.Pos, "+%s has no effect without +genclient; add +genclient above it", t.Name)
	}
}

// limited reports whether a marker limits the verbs, even if all verbs it lists are unknown.
func (p *typeParser) limited() bool {
	_, only := p.seen["genclient:onlyVerbs"]
	_, readonly := p.seen["genclient:readonly"]
	return only || readonly
}

// validateMethods checks that methods have different names.
func (p *typeParser) validateMethods() {
	lines := map[string]int{}
	for _, m := range p.Methods {
		if line, taken := lines[m.Name]; taken {
			p.diags.Errorf(m.Pos, "method %s is already declared at line %d; choose another name", m.Name, line)
			continue
		}
		lines[m.Name] = m.Pos.Line
	}
}

func (p *typeParser) contradiction(marker, other, verb string) {
	p.diags.Warnf(p.seen[marker].Pos, "+%s contradicts +%s at line %d about the verb %q; list it in only one of them",
		marker, other, p.seen[other].Pos.Line, verb)
}
