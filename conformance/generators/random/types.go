package random

import (
	"fmt"
	"slices"
	"strings"
)

// named is a type that an example declares.
type named struct {
	// name is how the package refers to it: with the name of a package if it is of another.
	name  string
	shape shape
	// key reports that it is a text that keys of maps can have.
	key bool
}

// foreign are types of other modules.
var foreign = []named{
	{"metav1.Time", special, false}, {"metav1.MicroTime", special, false}, {"metav1.Duration", special, false}, {"resource.Quantity", quantity, false}, {"intstr.IntOrString", quantity, false},
	{"runtime.RawExtension", anything, false}, {"metav1.FieldsV1", anything, false}, {"metav1.LabelSelector", special, false}, {"metav1.Condition", special, false}, {"metav1.OwnerReference", special, false},
	{"types.UID", text, true}, {"metav1.Verbs", list, false}, {"metav1.ConditionStatus", text, false}, {"metav1.GroupVersionKind", special, false}, {"corev1.LocalObjectReference", special, false},
	{"corev1.SecretKeySelector", special, false}, {"corev1.ResourceList", mapping, false}, {"corev1.Toleration", special, false}, {"corev1.Protocol", text, true}, {"corev1.ResourceRequirements", special, false},
	{"corev1.EnvVar", special, false}, {"corev1.ObjectReference", special, false}, {"corev1.ResourceName", text, true}, {"corev1.HostPathType", text, false}, {"rbacv1.PolicyRule", special, false},
	{"metav1.ObjectMeta", special, false}, {"metav1.ListMeta", special, false}, {"metav1.TypeMeta", special, false}, {"unstructured.Unstructured", special, false}, {"autoscalingv1.CrossVersionObjectReference", special, false},
}

// refused are types that no schema describes, or only with flags. Arrays are not among them: deepcopy-gen refuses pointers to
// them, and what controller-gen writes for these does not compile.
var refused = []named{
	{"float64", number, false}, {"float32", number, false}, {"interface{}", anything, false}, {"any", anything, false}, {"func()", special, false}, {"chan int", special, false}, {"json.RawMessage", anything, false},
	{"time.Duration", integer, false}, {"time.Time", special, false}, {"types.NamespacedName", special, false}, {"complex128", number, false}, {"uint64", integer, false}, {"uint", integer, false}, {"uintptr", integer, false},
	{"rune", integer, false}, {"error", anything, false}, {"map[int]string", mapping, false}, {"*runtime.Object", special, false}, {"map[string]interface{}", mapping, false}, {"json.Number", text, false}, {"resource.Format", text, false},
}

var imports = map[string]string{
	"metav1": "k8s.io/apimachinery/pkg/apis/meta/v1", "resource": "k8s.io/apimachinery/pkg/api/resource", "intstr": "k8s.io/apimachinery/pkg/util/intstr", "runtime": "k8s.io/apimachinery/pkg/runtime",
	"types": "k8s.io/apimachinery/pkg/types", "corev1": "k8s.io/api/core/v1", "rbacv1": "k8s.io/api/rbac/v1", "json": "encoding/json", "time": "time", "unstructured": "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",
	"autoscalingv1": "k8s.io/api/autoscaling/v1",
}

// scope are the types that a package can refer to.
type scope struct {
	// ready are declared: values can contain them. later are declared below, and what is declared can refer to them by
	// pointers, lists and maps only.
	ready, later []named
	// generic is the name of a generic type; empty for none.
	generic string
}

// expression returns a type, and its shape.
func (w *writer) expression(s *scope, depth int) (string, shape) {
	if w.odd(20) {
		n := refused[w.IntN(len(refused))]
		return n.name, n.shape
	}
	switch n := w.IntN(100); {
	case n < 22:
		return "string", text
	case n < 34:
		return w.pick("int", "int8", "int16", "int32", "int32", "int64", "int64", "uint8", "uint16", "uint32", "byte"), integer
	case n < 39:
		return "bool", boolean
	case n < 52:
		n := foreign[w.IntN(len(foreign))]
		return n.name, n.shape
	case n < 72 && len(s.ready) > 0:
		n := s.ready[w.IntN(len(s.ready))]
		return n.name, n.shape
	case depth <= 0:
		return "string", text
	case n < 74 && w.wild && len(s.later) > 0: // perhaps a recursion
		n := s.later[w.IntN(len(s.later))]
		return w.pick("*", "[]", "map[string]") + n.name, special
	case n < 76:
		return "[]byte", text
	case n < 84:
		expr, of := w.expression(s, depth-1)
		return "*" + expr, of
	case n < 92:
		expr, of := w.expression(s, depth-1)
		return "[]" + expr, listOf(expr, of)
	case n < 97:
		expr, _ := w.expression(s, depth-1)
		return "map[" + w.key(s) + "]" + expr, mapping
	case n < 98 && s.generic != "" && w.wild:
		expr, _ := w.expression(s, depth-1)
		return s.generic + "[" + expr + "]", object
	case !w.wild:
		return "map[string]string", mapping
	default:
		fields, _ := w.fields("", s, 1+w.IntN(2), depth-1)
		return "struct {\n" + strings.Join(fields, "") + "}", object
	}
}

// listOf returns the shape of a list of values of a type.
func listOf(expr string, of shape) shape {
	switch {
	case of == object && expr[0] != '*':
		return objects
	case expr == "string":
		return list
	}
	return lists
}

// key returns the type of keys of a map.
func (w *writer) key(s *scope) string {
	var keys []string
	for _, n := range s.ready {
		if n.key {
			keys = append(keys, n.name)
		}
	}
	if len(keys) == 0 || w.one(2) {
		return "string"
	}
	return w.pick(keys...)
}

// names are names of fields, and letters those of their names in JSON.
var (
	names   = strings.Fields("Name Size Color Replicas Ref Mode Parts Labels Rules HTTPPort URL IDs Template Weight Kind Items Spec Metadata Default Type X Größe Value From To")
	letters = []string{"a-b", "a.b", "a_b", "aB", "$ref", "x-kubernetes-a", "ü", "a/b", "A", "1", "type", "properties", "default", "true", "null", "y"}
)

// fields returns n fields, and their names in JSON. Owner is the name of the struct, and empty if it has none.
func (w *writer) fields(owner string, s *scope, n, depth int) (fields, tags []string) {
	used := map[string]bool{}
	for range n {
		name := w.pick(names...)
		for used[name] {
			name += w.pick("A", "B", "2", "_")
		}
		used[name] = true
		expr, of := w.expression(s, depth)
		if pointed := strings.TrimPrefix(expr, "*"); !w.wild && (of == mapping || of == object || of == anything || strings.Contains(pointed, ".")) && !strings.HasPrefix(pointed, "map[") {
			of = special // to controller-gen, which refuses markers about objects at references
		}
		tag := strings.ToLower(name[:1]) + name[1:]
		if w.one(20) {
			tag = w.pick(letters...)
		}
		if slices.Contains(tags, tag) {
			tag += fmt.Sprint(len(tags))
		}
		json := `json:"` + tag + w.pick("", "", ",omitempty", ",omitempty", ",omitempty", ",omitzero", ",omitempty,omitzero") + `"`
		if w.one(30) {
			json = w.pick(`json:"-"`, `json:"`+tag+`" protobuf:"bytes,1,opt,name=a"`, `yaml:"x" json:"`+tag+`"`, `json:"`+tag+`" validate:"required"`)
		}
		if w.odd(12) {
			json = w.pick("", `json:",omitempty"`, `json:""`, `json:"-,"`, `json:",inline"`, `json:"x`, `json:`+tag, `json:"`+tag+`,string"`, `json: "`+tag+`"`, `json:"kind"`, `json:"apiVersion"`, `json:"metadata"`, `yaml:"a"`)
		}
		if json != "" {
			json = " `" + json + "`"
		}
		tags = append(tags, tag)
		if w.odd(40) {
			name = "un" + name
		}
		line := "\t" + name + " " + expr + json + w.pick("\n", "\n", "\n", "\n", " // +optional\n", " // behind\n")
		fields = append(fields, w.comment("\t", name, w.ofField(of)...)+line+w.pick("", "", "", "\n"))
	}
	if owner != "" && w.one(5) {
		if field, ok := w.embedded(s, used); ok {
			fields = append(fields, field)
		}
	}
	w.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return fields, tags
}

// embedded returns an embedded field.
func (w *writer) embedded(s *scope, used map[string]bool) (string, bool) {
	var choices []string
	for _, n := range s.ready {
		if n.shape == object {
			choices = append(choices, n.name)
		}
	}
	choices = append(choices, "corev1.LocalObjectReference", "metav1.LabelSelector", "metav1.GroupVersionKind", "corev1.SecretReference")
	expr := w.pick(choices...)
	name := expr[strings.LastIndexByte(expr, '.')+1:]
	if used[name] {
		return "", false
	}
	var markers []string
	tags := []string{" `json:\",inline\"`", " `json:\",inline\"`", " `json:\",omitempty,inline\"`", " `json:\"" + strings.ToLower(name) + "\"`"}
	if w.odd(2) {
		markers = w.ofField(object)
		tags = append(tags, "", " `json:\",omitempty\"`")
	}
	return w.comment("\t", name, markers...) + "\t" + w.pick("", "", "", "*") + expr + w.pick(tags...) + "\n", true
}

// declare returns the declarations of types with the names, and adds them to the scope.
func (w *writer) declare(s *scope, names []string) []string {
	var declarations []string
	for _, name := range names {
		s.later = append(s.later, named{name: name})
	}
	for _, name := range names {
		s.later = s.later[1:]
		n := named{name: name}
		var body, more string
		var tags []string
		var enum bool
		switch w.IntN(14) {
		case 0, 1:
			n.shape, n.key, body = text, true, "string"
			if w.one(2) {
				enum = true
				more = fmt.Sprintf("\nconst (\n\t// %[1]sA is one.\n\t%[1]sA %[1]s = \"a\"\n\t%[1]sB %[1]s = `b c` // another\n\t%[1]sC = %[1]s(\"c\")\n)\n", name)
			}
		case 2:
			n.shape, body = integer, w.pick("int32", "int", "int64")
		case 3:
			expr, of := w.expression(s, 1)
			n.shape, body = listOf(expr, of), "[]"+expr
		case 4:
			expr, _ := w.expression(s, 1)
			n.shape, body = mapping, "map["+w.key(s)+"]"+expr
		case 5:
			if len(s.ready) > 0 { // a definition of a definition, or an alias
				of := s.ready[w.IntN(len(s.ready))]
				n.shape, n.key, body = of.shape, of.key, w.pick("", "", "= ")+of.name
				break
			}
			n.shape, body = boolean, "bool"
		case 6:
			if w.odd(1) {
				expr, of := w.expression(s, 1)
				n.shape, body = of, w.pick("= ", "", "= ")+expr
				break
			}
			fallthrough
		default:
			n.shape = object
			var fields []string
			fields, tags = w.fields(name, s, 1+w.IntN(5), 2)
			body = "struct {\n" + strings.Join(fields, "") + "}"
		}
		markers := w.ofType(n.shape, tags)
		if enum && w.one(2) {
			markers = w.once(append([]string{"k8s:enum"}, markers...))
		}
		text := w.comment("", name, markers...)
		switch {
		case w.one(12):
			text = "type (\n" + indent(text) + "\t" + name + " " + body + "\n)\n"
		default:
			text += "type " + name + " " + body + "\n"
		}
		declarations = append(declarations, text+more+w.methods(n, body))
		s.ready = append(s.ready, n)
	}
	return declarations
}

// indent indents the lines of a text.
func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("\t" + line)
	}
	return b.String()
}

// methods sometimes returns hand-written methods of a type.
func (w *writer) methods(n named, body string) string {
	if n.shape != object && n.shape != list && n.shape != text || strings.HasPrefix(body, "=") || strings.HasPrefix(body, "*") || !w.one(16) {
		return ""
	}
	switch w.IntN(5) {
	case 0:
		return fmt.Sprintf("\n// MarshalJSON implements json.Marshaler.\nfunc (in %s) MarshalJSON() ([]byte, error) { return []byte(`\"x\"`), nil }\n", n.name)
	case 1:
		return fmt.Sprintf("\n// DeepCopy is written by hand.\nfunc (in *%[1]s) DeepCopy() *%[1]s {\n\tif in == nil {\n\t\treturn nil\n\t}\n\tout := *in\n\treturn &out\n}\n", n.name)
	case 2:
		return fmt.Sprintf("\n// DeepCopyInto is written by hand.\nfunc (in *%[1]s) DeepCopyInto(out *%[1]s) { *out = *in }\n", n.name)
	case 3:
		return fmt.Sprintf("\n// OpenAPISchemaType is for openapi-gen.\nfunc (%[1]s) OpenAPISchemaType() []string { return []string{\"string\"} }\n\n// OpenAPISchemaFormat is for openapi-gen.\nfunc (%[1]s) OpenAPISchemaFormat() string { return \"\" }\n", n.name)
	}
	return fmt.Sprintf("\n// String describes it.\nfunc (in %s) String() string { return \"x\" }\n", n.name)
}
