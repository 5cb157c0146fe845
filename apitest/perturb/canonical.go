package perturb

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var times = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// canonical makes the end states of two runs comparable: it replaces what differs between runs that do the same.
type canonical struct {
	ignore  func(*unstructured.Unstructured)
	replace func(string) string // of UIDs and completed names
}

// end returns the texts of the objects of a state, by resource and name.
func (c canonical) end(s State) map[string]string {
	texts := map[string][]string{}
	for key, object := range s.objects {
		object = object.DeepCopy()
		if c.ignore != nil {
			c.ignore(object)
		}
		if object.Object == nil {
			continue
		}
		c.metadata(object)
		generation, _, _ := unstructured.NestedInt64(object.Object, "metadata", "generation")
		unstructured.RemoveNestedField(object.Object, "metadata", "generation")
		text, _ := json.MarshalIndent(c.value(object.Object, generation), "", "  ") // it was decoded from JSON
		resource, name, _ := strings.Cut(key, " ")
		key = resource + " " + strings.TrimPrefix(c.replace(name), "/")
		texts[key] = append(texts[key], string(text))
	}
	end := map[string]string{}
	for key, alike := range texts {
		slices.Sort(alike) // the order of completed names is random
		for i, text := range alike {
			if i > 0 {
				end[fmt.Sprintf("%s #%d", key, i+1)] = text
			} else {
				end[key] = text
			}
		}
	}
	return end
}

// metadata removes what the server sets.
func (c canonical) metadata(object *unstructured.Unstructured) {
	for _, field := range []string{"uid", "resourceVersion", "managedFields", "creationTimestamp", "selfLink"} {
		unstructured.RemoveNestedField(object.Object, "metadata", field)
	}
}

// value replaces times, UIDs and names in a value, and makes observed generations relative.
func (c canonical) value(value any, generation int64) any {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			if n, ok := field.(int64); ok && key == "observedGeneration" {
				v[key] = fmt.Sprintf("%d behind", generation-n)
				continue
			}
			v[key] = c.value(field, generation)
			if key == "conditions" {
				sortConditions(v[key])
			}
		}
	case []any:
		for i, item := range v {
			v[i] = c.value(item, generation)
		}
	case string:
		if times.MatchString(v) {
			return "(time)"
		}
		return c.replace(v)
	}
	return value
}

// sortConditions sorts conditions by their types, as which they are read: their order tells which one was set first.
func sortConditions(list any) {
	conditions, _ := list.([]any)
	typeOf := func(item any) string {
		fields, _ := item.(map[string]any)
		text, _ := fields["type"].(string)
		return text
	}
	slices.SortStableFunc(conditions, func(a, b any) int { return strings.Compare(typeOf(a), typeOf(b)) })
}

// families are the names that the server has completed in a run. What is random in them is replaced by an asterisk.
type families struct {
	names []string // long ones first, since they may contain others
	of    map[string]string
}

// add adds a name that begins with prefix, which may contain other names.
func (f *families) add(name, prefix string) {
	if f.of == nil {
		f.of = map[string]string{}
	}
	if _, known := f.of[name]; known {
		return
	}
	f.of[name] = f.replace(prefix) + "*"
	f.names = append(f.names, name)
	slices.SortStableFunc(f.names, func(a, b string) int { return len(b) - len(a) })
}

// replace replaces the names in a text.
func (f *families) replace(text string) string {
	for _, name := range f.names {
		text = strings.ReplaceAll(text, name, f.of[name])
	}
	return text
}

// names returns the replacement of what is random in a run: UIDs, and the completed parts of names.
func names(versions []version) func(string) string {
	var completed families
	var pairs []string
	seen := map[string]bool{}
	for _, v := range versions {
		uid, name, prefix := string(v.object.GetUID()), v.object.GetName(), v.object.GetGenerateName()
		if uid == "" || seen[uid] {
			continue
		}
		seen[uid] = true
		if prefix != "" && strings.HasPrefix(name, prefix) {
			completed.add(name, prefix)
		}
		pairs = append(pairs, uid, "(UID of "+v.object.GetKind()+" "+completed.replace(name)+")")
	}
	uids := strings.NewReplacer(pairs...)
	return func(text string) string { return uids.Replace(completed.replace(text)) }
}
