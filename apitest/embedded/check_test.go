package embedded_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// gadgets is a valid CRD of most features that servers check.
const gadgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    selectableFields:
    - {jsonPath: .spec.color}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: self.size < 10 || self.color == 'red', message: big gadgets are red}
            properties:
              size: {type: integer, minimum: 0, maximum: 100, default: 1}
              color: {type: string, enum: [red, blue], default: red}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
              names: {type: array, items: {type: string}}
          status: {type: object, properties: {size: {type: integer}}}
`

// invalid are changes of gadgets that make it invalid: a text, its replacement, and the wanted line and field.
var invalid = map[string]struct {
	old, new string
	line     int
	field    string
}{
	"default above the maximum":  {"default: 1}", "default: 101}", 29, "spec.validation.openAPIV3Schema.properties[spec].properties[size].default"},
	"default outside the enum":   {"default: red", "default: green", 30, "spec.validation.openAPIV3Schema.properties[spec].properties[color].default"},
	"default of another type":    {"default: 1}", "default: one}", 29, "spec.validation.openAPIV3Schema.properties[spec].properties[size].default"},
	"list without its keys":      {"                x-kubernetes-list-map-keys: [name]\n", "", 31, "spec.validation.openAPIV3Schema.properties[spec].properties[parts].x-kubernetes-list-map-keys"},
	"key that is optional":       {"                  required: [name]\n", "", 38, "spec.validation.openAPIV3Schema.properties[spec].properties[parts].items.properties[name].default"},
	"type of a column":           {"type: integer, jsonPath", "type: size, jsonPath", 17, "spec.additionalPrinterColumns[0].type"},
	"format of a column":         {"type: integer, jsonPath", "type: integer, format: big, jsonPath", 17, "spec.additionalPrinterColumns[0].format"},
	"path of a column":           {"jsonPath: .spec.size", "jsonPath: ''", 17, "spec.additionalPrinterColumns[0].JSONPath"},
	"path of a selectable field": {"jsonPath: .spec.color", "jsonPath: .spec.colour", 19, "spec.selectableFields[0].jsonPath"},
	"path of the scale":          {"specReplicasPath: .spec.size", "specReplicasPath: .size", 15, "spec.subresources.scale.specReplicasPath"},
	"group without a dot":        {"group: example.com", "group: example", 6, "spec.group"},
	"name":                       {"name: gadgets.example.com", "name: gadget.example.com", 4, "metadata.name"},
	"rule that does not compile": {"self.size < 10", "self.weight < 10", 27, "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule"},
	"rule of another type":       {"self.size < 10 ||", "self.size + 10 ||", 27, "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule"},
	"rule that costs too much": {
		"self.size < 10", "self.names.all(a, self.names.all(b, self.names.all(c, a + b == c)))", 27,
		"spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule",
	},
	"no type":                {"type: integer, minimum: 0", "minimum: 0", 29, "spec.validation.openAPIV3Schema.properties[spec].properties[size].type"},
	"no schema":              {"    selectableFields:\n    - {jsonPath: .spec.color}\n    schema:\n", "    schema: {}\n    unknown:\n", 18, "spec.versions[0].schema.openAPIV3Schema"},
	"no stored version":      {"storage: true", "storage: false", 9, "spec.versions"},
	"unknown field":          {"maximum: 100", "maximun: 100", 29, "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maximun"},
	"scope":                  {"scope: Namespaced", "scope: Global", 7, "spec.scope"},
	"group of Kubernetes":    {"example.com", "gadgets.k8s.io", 3, "metadata.annotations[api-approved.kubernetes.io]"},
	"pattern":                {"type: string}\n              names", "type: string, pattern: '['}\n              names", 39, "spec.validation.openAPIV3Schema.properties[spec].properties[parts].items.properties[name].pattern"},
	"fields of another type": {"served: true", "served: yes it is", 1, ""},
}

// samples are gadgets, with the wanted line and field of what is wrong.
var samples = map[string]struct {
	spec, field string
	line        int
}{
	"valid":           {spec: "{size: 20}"},
	"without a spec":  {spec: "{}"},
	"maximum":         {"{size: 200}", "spec.size", 5},
	"enum":            {"{color: green}", "spec.color", 5},
	"type":            {"{size: big}", "spec.size", 5},
	"rule":            {"\n  size: 20\n  color: blue", "spec", 5},
	"unknown field":   {"\n  colour: blue", "spec.colour", 6},
	"missing key":     {"\n  parts:\n  - name: a\n  - {}", "spec.parts[1].name", 8},
	"duplicate items": {"\n  parts:\n  - name: a\n  - name: a", "spec.parts[1]", 8},
}

// gadget returns a manifest of one.
func gadget(spec string) string {
	return "apiVersion: example.com/v1\nkind: Gadget\nmetadata:\n  name: one\nspec: " + spec + "\n"
}

func TestCheckDefinitions(t *testing.T) {
	for name, c := range invalid {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(gadgets, c.old) {
				t.Fatalf("no %s in gadgets", c.old)
			}
			text := strings.ReplaceAll(gadgets, c.old, c.new)
			file := filepath.Join(folder(t, map[string]string{"crd.yaml": text}), "crd.yaml")
			checked, err := embedded.Check(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(checked.Refused, func(f embedded.Finding) bool {
				return f.File == file && f.Line == c.line && f.Field == c.field
			}) {
				t.Errorf("got %v, want line %d, %s", checked.Refused, c.line, c.field)
			}
			compare(t, "", text, checked.Refused)
		})
	}
}

// TestCheckTree checks manifests in this repository, which servers take.
func TestCheckTree(t *testing.T) {
	for _, dir := range []string{"../testdata/crds", "../../testdata/crds", "../../examples/shop/config", "../../examples/sites/config", "../../examples/kubebuilder/config"} {
		checked, err := embedded.Check(t.Context(), filepath.FromSlash(dir))
		if err != nil {
			t.Fatal(err)
		}
		if checked.Definitions == 0 {
			t.Errorf("%s: no CRDs", dir)
		}
		for _, f := range checked.Refused {
			t.Error(f)
		}
	}
}

func TestCheckObjects(t *testing.T) {
	for name, c := range samples {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"crd/gadgets.yaml": gadgets, "samples/one.yaml": gadget(c.spec)})
			checked, err := embedded.Check(t.Context(), filepath.Join(dir, "samples"), filepath.Join(dir, "crd"))
			if err != nil {
				t.Fatal(err)
			}
			if checked.Definitions != 1 || checked.Objects != 1 {
				t.Errorf("got %d definitions, %d objects", checked.Definitions, checked.Objects)
			}
			found := slices.ContainsFunc(checked.Refused, func(f embedded.Finding) bool {
				return f.File == filepath.Join(dir, "samples", "one.yaml") && f.Line == c.line && f.Field == c.field
			})
			if found != (c.line > 0) || found != (len(checked.Refused) > 0) {
				t.Errorf("got %v, want line %d, %s", checked.Refused, c.line, c.field)
			}
			compare(t, gadgets, gadget(c.spec), checked.Refused)
		})
	}
}

// compare creates an object on a server with a CRD, and checks that the server says the same as Check. A server does
// not validate an object with unknown fields; Check does, besides.
func compare(t *testing.T, crd, text string, refused []embedded.Finding) {
	t.Helper()
	server := embedded.Start(t)
	if crd != "" {
		server = embedded.Start(t, embedded.WithManifestText(crd))
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(server.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	resource := apiextensions.SchemeGroupVersion.WithResource("customresourcedefinitions")
	var into dynamic.ResourceInterface = client.Resource(resource)
	if crd != "" {
		resource.Group, resource.Resource = "example.com", "gadgets"
		into = client.Resource(resource).Namespace("default")
	}
	_, err = into.Create(t.Context(), object, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	want, got := map[string]bool{}, map[string]bool{}
	var status *apierrors.StatusError
	switch {
	case err == nil:
	case !errors.As(err, &status):
		t.Fatal(err)
	case strings.Contains(err.Error(), "strict decoding error"):
		for _, f := range refused {
			if strings.HasPrefix(f.Message, "unknown field") && !strings.Contains(err.Error(), `unknown field "`+f.Field+`"`) {
				t.Errorf("%s: the server says %v", f, err)
			}
		}
		return
	case status.ErrStatus.Details == nil || len(status.ErrStatus.Details.Causes) == 0:
		want[": "+err.Error()] = true
	default:
		for _, cause := range status.ErrStatus.Details.Causes {
			want[strings.TrimPrefix(cause.Field, "<nil>")+": "+cause.Message] = true
		}
	}
	for _, f := range refused {
		got[f.Field+": "+f.Message] = true
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("the server says otherwise:\n%s", d)
	}
}

func TestCheckFiles(t *testing.T) {
	webhook := strings.Replace(gadgets, "  scope: Namespaced\n", `  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: a, name: b}}}
`, 1)
	twoVersions := strings.Replace(webhook, "  versions:\n", `  versions:
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {big: {type: boolean}}}}}}
`, 1)
	for name, c := range map[string]struct {
		files    map[string]string
		want     []string // parts of the findings
		warnings []string
	}{
		"kubebuilder": {files: map[string]string{
			"crd/kustomization.yaml": "resources: [gadgets.yaml]\n", "crd/gadgets.yaml": gadgets,
			"samples/kustomization.yml": "resources: [one.yaml]\n", "samples/one.yaml": gadget("{}") + "---\n" + gadget("{size: 2}"),
		}},
		"list": {
			files: map[string]string{"all.yaml": gadgets, "list.json": `{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "a"}},
{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": {"name": "b"},
 "spec": {"size": -1}}]}`},
			want: []string{"list.json:4: spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0"},
		},
		"not YAML":          {files: map[string]string{"crd.yaml": gadgets, "a.yaml": "a: 1\nb: c: d\n"}, want: []string{"a.yaml:2: invalid YAML: mapping values"}},
		"not an object":     {files: map[string]string{"crd.yaml": gadgets, "a.yaml": "a: 1\n", "b.yaml": "- 1\n"}, want: []string{"a.yaml:1: not an object of Kubernetes", "b.yaml:1: not an object of Kubernetes"}},
		"empty file":        {files: map[string]string{"crd.yaml": gadgets, "a.yaml": "# a: 1\n"}, want: []string{"a.yaml:1: no object in this file"}},
		"key twice":         {files: map[string]string{"crd.yaml": gadgets, "a.yaml": gadget("\n  size: 1\n  size: 2")}, want: []string{`a.yaml:7: invalid YAML: key "size" already set in map`}},
		"key twice, JSON":   {files: map[string]string{"crd.yaml": gadgets, "a.json": "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Gadget\",\n \"metadata\": {\"name\": \"a\"},\n\"spec\": {\"size\": 1, \"size\": 2}}"}, want: []string{`a.json:3: spec.size: duplicate field`}},
		"kind without CRD":  {files: map[string]string{"crd.yaml": gadgets, "a.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n"}, want: []string{"a.yaml:2: kind: no CustomResourceDefinition in the given files defines Widget of example.com/v1"}},
		"version of no CRD": {files: map[string]string{"crd.yaml": gadgets, "a.yaml": strings.Replace(gadget("{}"), "/v1", "/v2", 1)}, want: []string{"a.yaml:2: kind: Gadget is not served in example.com/v2, but in example.com/v1"}},
		"version that is gone": {
			files: map[string]string{"crd.yaml": gadgets, "a.yaml": "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n---\napiVersion: extensions/v1beta1\nkind: DaemonSet\n"},
			want:  []string{"a.yaml:2: kind: PodDisruptionBudget is not served in policy/v1beta1, but in policy/v1", "a.yaml:5: kind: DaemonSet is not served in extensions/v1beta1, but in apps/v1"},
		},
		"another API server": {
			files:    map[string]string{"crd.yaml": gadgets, "a.yaml": "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.example.com}\n"},
			warnings: []string{"a.yaml:2: kind: it is not checked, because there is no aggregation"},
		},
		"lists of a kind": {
			files: map[string]string{"all.yaml": gadgets, "a.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleList\nitems:\n- metadata: {name: a}\n  rule: []\n- kind: Role\n  apiVersion: rbac.authorization.k8s.io/v1\n  metadata: {name: b}\n" +
				"---\napiVersion: example.com/v1\nkind: GadgetList\nitems:\n- metadata: {name: a}\n  spec: {size: -1}\n"},
			want: []string{"a.yaml:5: rule: unknown field", "a.yaml:14: spec.size: Invalid value: -1"},
		},
		"list that is none": {files: map[string]string{"all.yaml": gadgets, "a.yaml": "apiVersion: example.com/v1\nkind: WidgetList\nitems: 1\n"}, want: []string{"a.yaml:2: kind: no CustomResourceDefinition in the given files defines WidgetList of example.com/v1"}},
		"old CRD":           {files: map[string]string{"crd.yaml": strings.Replace(gadgets, "io/v1", "io/v1beta1", 1), "one.yaml": gadget("{}")}, want: []string{"crd.yaml:1: apiVersion: API servers do not serve CustomResourceDefinitions of apiextensions.k8s.io/v1beta1; use apiextensions.k8s.io/v1"}},
		"CRD twice":         {files: map[string]string{"a.yaml": gadgets, "b.yaml": "# comment\n" + gadgets}, want: []string{"b.yaml:5: metadata.name: ", "a.yaml:1 has a CustomResourceDefinition of this name too"}},
		"names twice":       {files: map[string]string{"a.yaml": gadgets, "b.yaml": strings.ReplaceAll(gadgets, "gadgets", "devices")}, want: []string{"b.yaml:8: spec.names: ", " is already in use"}},
		"unknown and more": {
			files: map[string]string{"crd.yaml": gadgets, "a.yaml": gadget("\n  colour: red\n  size: -1")},
			want:  []string{"a.yaml:6: spec.colour: unknown field", "a.yaml:7: spec.size: Invalid value: -1"},
		},
		"invalid CRD with a sample": {
			files: map[string]string{"crd.yaml": strings.Replace(gadgets, "default: 1}", "default: -1}", 1), "a.yaml": gadget("{size: -1}")},
			want:  []string{"crd.yaml:29: spec.validation.openAPIV3Schema.properties[spec].properties[size].default: Invalid value: -1"},
		},
		"conversion webhook": {files: map[string]string{"crd.yaml": twoVersions, "a.yaml": strings.Replace(gadget("{big: true}"), "/v1", "/v1beta1", 1), "b.yaml": gadget("{size: 2}")}},
		"other version": {
			files: map[string]string{"crd.yaml": twoVersions, "a.yaml": strings.Replace(gadget("{size: 2}"), "/v1", "/v1beta1", 1)},
			want:  []string{"a.yaml:5: spec.size: unknown field"},
		},
		"kinds of Kubernetes": {files: map[string]string{
			"crd.yaml": gadgets, "a.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: elsewhere}\ndata: {a: b}\n",
		}},
		"invalid kind of Kubernetes": {
			files: map[string]string{"crd.yaml": gadgets, "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}\ndate: {a: b}\n"},
			want:  []string{"a.yaml:3: metadata.name: Invalid value: \"A\"", "a.yaml:4: date: unknown field"},
		},
		"no kind with a CRD": {
			files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndate: {a: b}\n"},
			want:  []string{"a.yaml:4: date: unknown field"},
		},
		"pods and their classes": {files: map[string]string{
			"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  priorityClassName: urgent\n  runtimeClassName: sandbox\n  containers: [{name: a, image: a}]\n",
			"b.yaml": "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1\n---\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: sandbox}\nhandler: a\n",
		}},
		"pod without its class": {
			files: map[string]string{"a.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  priorityClassName: urgent\n  containers: [{name: a, image: a}]\n"},
			want:  []string{`a.yaml:1: pods "a" is forbidden: no PriorityClass with name urgent was found`},
		},
		"panic of the server": {
			files: map[string]string{"crd.yaml": strings.Split(gadgets, "    schema:\n")[0] + "    schema: {}\n"},
			want:  []string{"crd.yaml:1: the API server fails with a panic: "},
		},
		"warning": {
			files:    map[string]string{"crd.yaml": strings.Replace(gadgets, "names: {type: array, items: {type: string}}", "names: {type: string, format: title}", 1)},
			warnings: []string{`crd.yaml:1: unrecognized format "title"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, c.files)
			checked, err := embedded.Check(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			contain(t, checked.Refused, c.want)
			contain(t, checked.Warnings, c.warnings)
		})
	}
}

// A file that several paths contain is read once.
func TestCheckOverlappingPaths(t *testing.T) {
	dir := folder(t, map[string]string{"crd/gadgets.yaml": gadgets})
	checked, err := embedded.Check(t.Context(), dir, filepath.Join(dir, "crd"), filepath.Join(dir, "crd", ".", "gadgets.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	contain(t, checked.Refused, nil)
	if checked.Definitions != 1 {
		t.Errorf("%d definitions, want 1", checked.Definitions)
	}
}

// contain checks that findings contain texts, and that there are none if no text is wanted.
func contain(t *testing.T, findings []embedded.Finding, want []string) {
	t.Helper()
	var got strings.Builder
	for _, f := range findings {
		got.WriteString(f.String() + "\n")
	}
	for _, part := range want {
		if !strings.Contains(got.String(), part) {
			t.Errorf("no %q in\n%s", part, got.String())
		}
	}
	if len(want) == 0 && len(findings) > 0 {
		t.Errorf("got\n%s", got.String())
	}
}

func TestCheckErrors(t *testing.T) {
	dir := folder(t, map[string]string{"gadgets.yaml": gadgets})
	empty := folder(t, map[string]string{"kustomization.yaml": "resources: [a.yaml]\n", "notes.txt": "none\n"})
	for name, c := range map[string]struct {
		paths []string
		want  string
	}{
		"no paths": {nil, "no paths"},
		"missing":  {[]string{filepath.Join(dir, "nowhere")}, "nowhere: no such file, directory or match"},
		"nothing":  {[]string{empty}, "no objects in " + empty},
	} {
		if checked, err := embedded.Check(t.Context(), c.paths...); err == nil || !strings.Contains(err.Error(), c.want) || checked != nil {
			t.Errorf("%s: got %v, %v", name, checked, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := embedded.Check(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}
