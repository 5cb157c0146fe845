package schema

import (
	"strings"

	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// walk follows a JSON path, such as .spec.laces[0].name, from the schema of a kind. It returns the schema of the field, nil
// if that is not known, or why there is no such field.
func walk(root *model.Schema, path string) (found *model.Schema, why string) {
	s := root
	for rest := path; rest != ""; {
		if s == nil || s.PreserveUnknownFields || s.EmbeddedResource {
			return nil, ""
		}
		if inner, after, ok := bracket(rest); ok {
			rest = after
			switch {
			case s.Items != nil:
				s = s.Items
			case strings.ContainsAny(inner, `'"`) && s.AdditionalProperties != nil:
				s = s.AdditionalProperties
			default:
				return nil, ""
			}
			continue
		}
		name, after, ok := step(rest)
		if !ok {
			return nil, "" // something that only kubectl's syntax has
		}
		rest = after
		if s == root && (name == "metadata" || name == "kind" || name == "apiVersion") {
			return nil, ""
		}
		switch property := s.Properties[name]; {
		case property != nil:
			s = property
		case s.AdditionalProperties != nil:
			s = s.AdditionalProperties
		case s.AnyProperties || s.Type == "array" || s.Type == "":
			return nil, ""
		default:
			return nil, "there is no field " + name + suggestion(name, s.Properties)
		}
	}
	return s, ""
}

// step splits ".name" from the start of a path.
func step(path string) (name, rest string, ok bool) {
	if !strings.HasPrefix(path, ".") || strings.Contains(path, `\`) {
		return "", "", false
	}
	end := strings.IndexAny(path[1:], ".[") + 1
	if end == 0 {
		end = len(path)
	}
	name = path[1:end]
	return name, path[end:], name != "" && !strings.ContainsAny(name, "*{}()@?$ ")
}

// bracket splits "[...]" from the start of a path.
func bracket(path string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return "", "", false
	}
	return path[1:end], path[end+1:], true
}

// choices returns advice for a value that is not one of some.
func choices(value string, all []string) string {
	if best := marker.Nearest(value, all); best != "" {
		return "; did you mean " + best + "?"
	}
	return "; want one of " + strings.Join(all, ", ")
}
