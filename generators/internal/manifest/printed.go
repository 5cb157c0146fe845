package manifest

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v2"
)

// Same reports whether a text that another generator printed says the same as a new one: whether they are equal except for the line
// that names the generator, controller-gen's annotation with its version, and carriage returns.
func Same(old, text []byte) bool {
	_, text, _ = bytes.Cut(text, []byte("\n")) // the line
	old, text = withoutVersion(old), withoutVersion(text)
	return bytes.Equal(bytes.TrimPrefix(old, []byte("\n")), text)
}

// version matches controller-gen's annotation.
var version = regexp.MustCompile(`(?m)^    controller-gen\.kubebuilder\.io/version: .*\n`)

func withoutVersion(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	rest := version.ReplaceAll(text, nil)
	for _, next := range []string{"name", "labels", "creationTimestamp"} {
		rest = bytes.Replace(rest, []byte("\n  annotations:\n  "+next+":"), []byte("\n  "+next+":"), 1)
	}
	return rest
}

// Printed reports whether a text consists of roles or configurations of webhooks as this package prints them, or other programs with the
// same library, such as controller-gen: nothing shows that a person wrote it.
func Printed(text []byte) bool {
	documents := split(text)
	return len(documents) > 0 && !slices.ContainsFunc(documents, func(document string) bool {
		var o yaml.MapSlice
		if yaml.Unmarshal([]byte(document), &o) != nil {
			return true
		}
		again, err := yaml.Marshal(o)
		return err != nil || string(again) != document || !plain(o) || !ordered(o)
	})
}

// split returns the documents of a text; nil if something except comments is before the first.
func split(text []byte) []string {
	rest := string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	for rest != "" && !strings.HasPrefix(rest, "---\n") {
		line, after, _ := strings.Cut(rest, "\n")
		if line != "" && line[0] != '#' {
			return nil
		}
		rest = after
	}
	if rest == "" {
		return nil
	}
	documents := strings.Split(strings.TrimPrefix(rest, "---\n"), "\n---\n")
	for i := range documents[:len(documents)-1] {
		documents[i] += "\n"
	}
	return documents
}

// plain reports whether an object has no fields but those that generators write.
func plain(o yaml.MapSlice) bool {
	kind := ""
	for _, item := range o {
		switch item.Key {
		case "kind":
			kind, _ = item.Value.(string)
		case "apiVersion", "rules", "webhooks":
		case "metadata":
			metadata, _ := item.Value.(yaml.MapSlice)
			if slices.ContainsFunc(metadata, func(m yaml.MapItem) bool {
				return m.Key != "name" && m.Key != "namespace" && m.Key != "creationTimestamp"
			}) {
				return false
			}
		default:
			return false
		}
	}
	return slices.Contains([]string{"ClusterRole", "Role", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}, kind)
}

// ordered reports whether the members of an object, and the values of each list of strings in it, are sorted, as those of roles are.
func ordered(value any) bool {
	switch v := value.(type) {
	case yaml.MapSlice:
		names := make([]string, len(v))
		for i, item := range v {
			names[i], _ = item.Key.(string)
			if names[i] != "webhooks" && !ordered(item.Value) {
				return false
			}
		}
		return slices.IsSorted(names)
	case []any:
		var texts []string
		for _, item := range v {
			if text, ok := item.(string); ok {
				texts = append(texts, text)
			} else if !ordered(item) {
				return false
			}
		}
		return slices.IsSorted(texts)
	}
	return true
}

// Names returns the names of the objects in a text.
func Names(text []byte) []string {
	var names []string
	for _, document := range split(text) {
		var o struct{ Metadata struct{ Name string } }
		if yaml.Unmarshal([]byte(document), &o) == nil && o.Metadata.Name != "" {
			names = append(names, o.Metadata.Name)
		}
	}
	return names
}
