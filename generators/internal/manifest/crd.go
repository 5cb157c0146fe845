// Package manifest writes objects of Kubernetes as YAML, with keys and scalars as controller-gen writes them:
// CustomResourceDefinitions, roles, and configurations of webhooks.
package manifest

import (
	"github.com/listwatch/listwatch/generators/model"
)

// CRD returns the text of a CustomResourceDefinition. MaxDescLen limits the lengths of descriptions;
// nil for no limit.
func CRD(c *model.CRD, maxDescLen *int) ([]byte, error) {
	return marshal([]byte("---\n"), printer{maxDescLen}.definition(c))
}

// printer turns parts of a definition into objects. Each lists its members in alphabetical order.
type printer struct{ maxDescLen *int }

func (p printer) definition(c *model.CRD) object {
	var metadata, names object
	metadata = add(metadata, "annotations", c.Annotations, len(c.Annotations) > 0)
	metadata = add(metadata, "labels", c.Labels, len(c.Labels) > 0)
	metadata = append(metadata, member{"name", c.Plural + "." + c.Group})
	names = list(names, "categories", c.Categories)
	names = append(names, member{"kind", c.Kind}, member{"listKind", c.ListKind}, member{"plural", c.Plural})
	names = list(names, "shortNames", c.ShortNames)
	names = append(names, member{"singular", c.Singular})
	versions := make([]object, len(c.Versions))
	for i, v := range c.Versions {
		versions[i] = p.version(v)
	}
	return object{
		{"apiVersion", "apiextensions.k8s.io/v1"},
		{"kind", "CustomResourceDefinition"},
		{"metadata", metadata},
		{"spec", object{{"group", c.Group}, {"names", names}, {"scope", c.Scope}, {"versions", versions}}},
	}
}

func (p printer) version(v *model.CRDVersion) object {
	var o object
	var columns, fields []object
	for _, c := range v.Columns {
		columns = append(columns, column(c))
	}
	for _, path := range v.Selectable {
		fields = append(fields, object{{"jsonPath", path}})
	}
	o = list(o, "additionalPrinterColumns", columns)
	o = add(o, "deprecated", true, v.Deprecated)
	o = pointer(o, "deprecationWarning", v.Warning)
	o = append(o, member{"name", v.Name}, member{"schema", object{{"openAPIV3Schema", p.schema(v.Schema)}}})
	o = list(o, "selectableFields", fields)
	o = append(o, member{"served", v.Served}, member{"storage", v.Storage})
	var subresources object
	if s := v.Scale; s != nil {
		var scale object
		scale = pointer(scale, "labelSelectorPath", s.Selector)
		scale = append(scale, member{"specReplicasPath", s.Spec}, member{"statusReplicasPath", s.Status})
		subresources = append(subresources, member{"scale", scale})
	}
	subresources = add(subresources, "status", object{}, v.Status)
	// controller-gen has subresources, even empty ones, in every version with columns.
	return add(o, "subresources", subresources, len(subresources) > 0 || len(columns) > 0)
}

func column(c model.Column) object {
	var o object
	o = text(o, "description", c.Description)
	o = text(o, "format", c.Format)
	o = append(o, member{"jsonPath", c.JSONPath}, member{"name", c.Name})
	o = add(o, "priority", c.Priority, c.Priority != 0)
	return append(o, member{"type", c.Type})
}

// add adds a member to an object if a condition holds.
func add(o object, name string, value any, condition bool) object {
	if !condition {
		return o
	}
	return append(o, member{name, value})
}

// flag adds a member that is true, text one that is not empty, and list one with elements.
func flag(o object, name string, value bool) object { return add(o, name, true, value) }

func text(o object, name, value string) object {
	if value == "" {
		return o
	}
	return append(o, member{name, value})
}

func list[T any](o object, name string, values []T) object {
	if len(values) == 0 {
		return o
	}
	return append(o, member{name, values})
}

// pointer adds what a pointer points to, if it is not nil.
func pointer[T any](o object, name string, value *T) object {
	if value == nil {
		return o
	}
	return append(o, member{name, *value})
}
