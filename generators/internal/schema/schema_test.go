package schema_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/schema"
	"github.com/listwatch/listwatch/generators/model"
)

// cases are the fields and other declarations of a kind, each in its own package. want is the schema of the field f,
// and diags are parts of the errors and warnings, in order, with the text of their lines.
var cases = []struct {
	name, field, decls string
	opts               schema.Options
	want               string
	required           bool
	diags              []string
}{
	{name: "string", field: "F string `json:\"f\"`", want: "Type:string", required: true},
	{name: "omitempty", field: "F string `json:\"f,omitempty\"`", want: "Type:string"},
	{name: "omitzero", field: "F string `json:\"f,omitzero\"`", want: "Type:string"},
	{name: "optional", field: "// +optional\nF string `json:\"f\"`", want: "Type:string"},
	{name: "required despite omitempty", field: "// +required\nF string `json:\"f,omitempty\"`", want: "Type:string", required: true},
	{name: "kubebuilder's marker counts first", field: "// +kubebuilder:validation:Optional\n// +required\nF string `json:\"f\"`", want: "Type:string"},
	{name: "bool", field: "F bool `json:\"f\"`", want: "Type:boolean", required: true},
	{name: "int", field: "F int `json:\"f\"`", want: "Type:integer", required: true},
	{name: "int32", field: "F *int32 `json:\"f\"`", want: "Type:integer Format:int32", required: true},
	{name: "uint64", field: "F uint64 `json:\"f\"`", want: "Type:integer Format:int64", required: true},
	{name: "bytes", field: "F []byte `json:\"f\"`", want: "Type:string Format:byte", required: true},
	{name: "list of lists", field: "F [][]string `json:\"f\"`", want: "Type:array Items:{Type:array Items:{Type:string}}", required: true},
	{name: "map", field: "F map[string][]bool `json:\"f\"`", want: "Type:object AdditionalProperties:{Type:array Items:{Type:boolean}}", required: true},
	{name: "keys of a string type", field: "F map[Key]int `json:\"f\"`", decls: "type Key string", want: "Type:object AdditionalProperties:{Type:integer}", required: true},
	{name: "keys that are numbers", field: "F map[int]int `json:\"f\"`", want: "Type:object AdditionalProperties:{Type:integer}", required: true,
		diags: []string{"F map[int]int: keys of maps must be strings in JSON, not int; use map[string]"}},
	{name: "keys that are numbers, with everything", field: "F map[int8]int `json:\"f\"`", opts: schema.Options{All: true}, want: "Type:object AdditionalProperties:{Type:integer}", required: true,
		diags: []string{"F map[int8]int: keys of maps are strings in JSON, so clients in other languages get texts in place of numbers"}},
	{name: "keys that are structs, with everything", field: "F map[K]int `json:\"f\"`", opts: schema.Options{All: true}, want: "Type:object AdditionalProperties:{Type:integer}", required: true,
		diags: []string{"keys of maps must be strings in JSON, not"}},
	{name: "float", field: "F float64 `json:\"f\"`", want: "Type:number", required: true, diags: []string{"F float64: float64 is discouraged"}},
	{name: "float, allowed", field: "F float64 `json:\"f\"`", opts: schema.Options{AllowDangerousTypes: true}, want: "Type:number", required: true},
	{name: "interface", field: "F any `json:\"f\"`", required: true, diags: []string{"F any: interfaces have no schema; use apiextensionsv1.JSON"}},
	{name: "unnamed struct", field: "F struct{} `json:\"f\"`", want: "Type:object", required: true, diags: []string{"F struct{}: struct without a name has no schema"}},
	{name: "complex number", field: "F complex128 `json:\"f\"`", required: true, diags: []string{"F complex128: complex128 has no schema"}},
	{name: "function", field: "F func() `json:\"f\"`", required: true, diags: []string{"F func(): func() has no schema"}},
	{name: "time", field: "F metav1.Time `json:\"f\"`", want: "Type:string Format:date-time", required: true},
	{name: "metadata", field: "F metav1.ObjectMeta `json:\"f\"`", want: "Type:object", required: true},
	{name: "metadata, described", field: "F metav1.ObjectMeta `json:\"f\"`", opts: schema.Options{EmbeddedObjectMeta: true}, required: true,
		want: "Type:object Properties:{annotations:{Type:object AdditionalProperties:{Type:string}} finalizers:{Type:array Items:{Type:string}} labels:{Type:object AdditionalProperties:{Type:string}} name:{Type:string} namespace:{Type:string}}"},
	{name: "not downloaded", field: "F missing.T `json:\"f\"`", want: "PreserveUnknownFields:true", required: true, diags: []string{"F missing.T: missing.T has no schema"}},
	{name: "without a schema", field: "// +kubebuilder:validation:Schemaless\n// +kubebuilder:pruning:PreserveUnknownFields\nF any `json:\"f\"`", want: "PreserveUnknownFields:true", required: true},

	{name: "no tag", field: "F string `json:\"f\"`\nG string", want: "Type:string", required: true, diags: []string{"G string: field G of type K has no JSON tag; add `json:\"g\"`"}},
	{name: "left out", field: "F string `json:\"f\"`\nG any `json:\"-\"`", want: "Type:string", required: true},
	{name: "unexported", field: "F string `json:\"f\"`\ng int", opts: schema.Options{IgnoreUnexported: true}, want: "Type:string", required: true},
	{name: "description of a field", field: "// F is one.\n//\n// +optional\nF string `json:\"f\"`", want: "Type:string Description:F is one."},
	{name: "description of a type", field: "F T `json:\"f\"`", decls: "// T is two.\ntype T string", want: "Type:string Description:T is two.", required: true},
	{name: "description of both", field: "// F is one.\nF T `json:\"f\"`", decls: "// T is two.\ntype T string", want: "Type:string Description:F is one.", required: true},

	{name: "struct", field: "F S `json:\"f\"`", decls: "type S struct {\n\tB int `json:\"b\"`\n\tA string `json:\"a\"`\n\tC bool `json:\"c,omitempty\"`\n}", required: true,
		want: "Type:object Properties:{a:{Type:string} b:{Type:integer} c:{Type:boolean}} Required:[a b]"},
	{name: "inlined", field: "F S `json:\"f\"`", decls: "type S struct {\n\tT `json:\",inline\"`\n\tA string `json:\"a\"`\n}\n\ntype T struct {\n\tB int `json:\"b\"`\n}", required: true,
		want: "Type:object Properties:{a:{Type:string} b:{Type:integer}} Required:[a b]"},
	{name: "a property in a struct and in what it embeds", field: "F S `json:\"f\"`", required: true,
		decls: "type S struct {\n\tT `json:\",inline\"`\n\t// +kubebuilder:validation:MaxLength=5\n\tA string `json:\"a\"`\n}\n\ntype T struct {\n\t// +kubebuilder:validation:MinLength=1\n\tA string `json:\"a\"`\n}",
		want:  "Type:object Properties:{a:{Type:string MaxLength:5 MinLength:1}} Required:[a]"},
	{name: "alias", field: "F T `json:\"f\"`", decls: "type T = []string", want: "Type:array Items:{Type:string}", required: true},
	{name: "generic", field: "F T[int] `json:\"f\"`", decls: "type T[E any] struct {\n\tA []E `json:\"a\"`\n}", required: true,
		want: "Type:object Properties:{a:{Type:array Items:{Type:integer}}} Required:[a]"},
	{name: "type in itself", field: "F *T `json:\"f\"`", decls: "type T struct {\n\tNext *T `json:\"next\"`\n}", required: true,
		want: "Type:object Properties:{next:{}} Required:[next]", diags: []string{"Next *T: type T contains itself"}},
	{name: "MarshalText", field: "F T `json:\"f\"`", decls: "type T struct{ a int }\n\nfunc (T) MarshalText() ([]byte, error) { return nil, nil }", want: "Type:string", required: true},
	{name: "MarshalText, promoted", field: "F S `json:\"f\"`", decls: "type S struct{ T }\n\ntype T struct{ a int }\n\nfunc (*T) MarshalText() ([]byte, error) { return nil, nil }", want: "Type:string", required: true},
	{name: "MarshalJSON and a type", field: "F T `json:\"f\"`", decls: "// +kubebuilder:validation:Type=string\ntype T struct{ a int }\n\nfunc (T) MarshalJSON() ([]byte, error) { return nil, nil }", want: "Type:string", required: true},
	{name: "MarshalText and another type", field: "F T `json:\"f\"`", decls: "// +kubebuilder:validation:Type=integer\ntype T struct{ a int }\n\nfunc (T) MarshalText() ([]byte, error) { return nil, nil }", want: "Type:integer", required: true,
		diags: []string{"T struct{ a int }: type T has the method MarshalText"}},

	{name: "both say something else", field: "// +kubebuilder:validation:MaxLength=5\nF T `json:\"f\"`", decls: "// +kubebuilder:validation:MinLength=1\ntype T string", want: "Type:string MaxLength:5 MinLength:1", required: true},
	{name: "both say the same", field: "// +kubebuilder:validation:Pattern=`^a$`\nF T `json:\"f\"`", decls: "// +kubebuilder:validation:Pattern=`^a$`\ntype T string", want: "Type:string Pattern:^a$", required: true},
	{name: "both have a pattern", field: "// +kubebuilder:validation:Pattern=`^a`\nF T `json:\"f\"`", decls: "// +kubebuilder:validation:Pattern=`b$`\ntype T string", want: "Type:string AllOf:[{Pattern:b$} {Pattern:^a}]", required: true},
	{name: "both have a number", field: "// +kubebuilder:validation:Maximum=3\nF T `json:\"f\"`", decls: "// +kubebuilder:validation:Maximum=3\ntype T int", want: "Type:integer AllOf:[{Maximum:3} {Maximum:3}]", required: true},
	{name: "default of a type", field: "// +kubebuilder:default=a\nF T `json:\"f\"`", decls: "// +kubebuilder:default=b\ntype T string", want: "Type:string Default:a", required: true,
		diags: []string{"+kubebuilder:default=b: +kubebuilder:default has no effect on a type"}},
	{name: "alias of a struct without a name", field: "F T `json:\"f\"`", decls: "type T = struct {\n\tA string `json:\"a\"`\n}", want: "Type:object Properties:{a:{Type:string}} Required:[a]", required: true},
	{name: "rules", field: "// +kubebuilder:validation:XValidation:rule=\"self != 'a'\"\nF T `json:\"f\"`", decls: "// +kubebuilder:validation:XValidation:rule=\"self != 'b'\"\ntype T string", want: "Type:string Validations:[{Rule:self != 'a'} {Rule:self != 'b'}]", required: true},
	{name: "of the items", field: "// +kubebuilder:validation:items:MaxLength=5\nF []string `json:\"f\"`", want: "Type:array Items:{Type:string MaxLength:5}", required: true},
	{name: "of items that are none", field: "// +kubebuilder:validation:items:MaxLength=5\nF string `json:\"f\"`", want: "Type:string", required: true, diags: []string{"items:MaxLength=5: +kubebuilder:validation:items:MaxLength needs a list with items"}},
	{name: "does not fit", field: "// +kubebuilder:validation:MaxLength=5\nF int `json:\"f\"`", want: "Type:integer", required: true, diags: []string{"MaxLength=5: +kubebuilder:validation:MaxLength applies to"}},
	{name: "list as a map", field: "// +listType=map\n// +listMapKey=b\nF []S `json:\"f\"`", decls: "type S struct {\n\tB int `json:\"b\"`\n}", required: true,
		want: "Type:array Items:{Type:object Properties:{b:{Type:integer}} Required:[b]} ListType:map ListMapKeys:[b]"},
	{name: "key that is no field", field: "// +listType=map\n// +listMapKey=nam\nF []S `json:\"f\"`", decls: "type S struct {\n\tName int `json:\"name\"`\n}", required: true,
		want: "Type:array Items:{Type:object Properties:{name:{Type:integer}} Required:[name]} ListType:map ListMapKeys:[nam]", diags: []string{"listMapKey=nam: +listMapKey=nam names no field of the list's items; did you mean name?"}},
	{name: "constants", field: "F T `json:\"f\"`", decls: "// +k8s:enum\ntype T string\n\nconst (\n\tB T = \"b\"\n\tA T = \"a\"\n)", want: "Type:string Enum:[a b]", required: true},
	{name: "no constants", field: "F T `json:\"f\"`", decls: "// +k8s:enum\ntype T string", want: "Type:string", required: true, diags: []string{"+k8s:enum: type T has no constants"}},
	{name: "default of another type", field: "// +kubebuilder:default=\"5\"\nF int `json:\"f\"`", want: "Type:integer Default:5", required: true, diags: []string{"default=\"5\": default is the string \"5\", but the value is an integer; write it without quotes, as 5"}},
	{name: "default with an unknown field", field: "// +kubebuilder:default={nam: a}\nF S `json:\"f\"`", decls: "type S struct {\n\tName string `json:\"name\"`\n}", required: true,
		want: "Type:object Properties:{name:{Type:string}} Required:[name] Default:map[nam:a]", diags: []string{"default={nam: a}: default has the field nam, which the type does not have; did you mean name?"}},
	{name: "invalid pattern", field: "// +kubebuilder:validation:Pattern=`(`\nF string `json:\"f\"`", want: "Type:string Pattern:(", required: true, diags: []string{"Pattern=`(`: invalid pattern"}},
}

// source returns the file of a case.
func source(number int) string {
	c := cases[number]
	imports := `metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`
	if strings.Contains(c.field, "missing.") {
		imports += "\n\t\"example.com/missing\""
	}
	return fmt.Sprintf("// +groupName=case%d.example.com\npackage p%d\n\nimport (\n\t%s\n)\n\ntype K struct {\nmetav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n%s\n}\n\n%s\n", number, number, imports, c.field, c.decls)
}

// metaV1 stands for the package of this name.
const metaV1 = `package v1

type TypeMeta struct {
	Kind       string ` + "`json:\"kind,omitempty\"`" + `
	APIVersion string ` + "`json:\"apiVersion,omitempty\"`" + `
}

type ObjectMeta struct{}

type Time struct{ t int }
`

// module writes packages to a new module, and loads them.
func module(t *testing.T, files map[string]string) (dir string, packages []*load.Package) {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	dir = t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.25\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./apimachinery\n")
	write("apimachinery/go.mod", "module k8s.io/apimachinery\n\ngo 1.25\n")
	write("apimachinery/pkg/apis/meta/v1/types.go", metaV1)
	for name, text := range files {
		write(name, text)
	}
	var diags diag.List
	packages, err := load.New(t.Context(), load.Config{Dir: dir, Diags: &diags}).Load("./...")
	if err != nil {
		t.Fatal(err)
	}
	if err := diags.Err(dir); err != nil {
		t.Fatal(err)
	}
	resolve.Ahead(packages)
	return dir, packages
}

// read calls Read for one package, and returns what it reports.
func read(opts schema.Options, packages ...*load.Package) (map[string][]*model.CRD, []diag.Diagnostic) {
	diags := &diag.List{Lenient: true}
	opts.Resolver, opts.Diags = resolve.New(), diags
	found := schema.Read(packages, opts)
	all := diags.Warnings("")
	var errs diag.Errors
	if errors.As(diags.Err(""), &errs) {
		all = append(all, errs...)
	}
	return found, all
}

func TestFields(t *testing.T) {
	files := map[string]string{}
	for i := range cases {
		files[fmt.Sprintf("p%d/types.go", i)] = source(i)
	}
	_, packages := module(t, files)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			at := slices.IndexFunc(packages, func(p *load.Package) bool { return p.Name == fmt.Sprintf("p%d", i) })
			p := packages[at]
			found, diags := read(c.opts, p)
			lines := strings.Split(source(i), "\n")
			for j := range max(len(diags), len(c.diags)) {
				got, want := "", ""
				if j < len(diags) {
					d := diags[j]
					got = lines[d.Pos.Line-1][d.Pos.Column-1:] + ": " + d.Message
				}
				if j < len(c.diags) {
					want = c.diags[j]
				}
				line, message, _ := strings.Cut(want, ": ")
				if (got == "") != (want == "") || !strings.Contains(got, line) || !strings.Contains(got, ": "+message) && want != "" {
					t.Errorf("got  error %s\nwant error %s", got, want)
				}
			}
			if len(found[p.Path]) != 1 || len(found[p.Path][0].Versions) != 1 {
				t.Fatalf("got %d definitions", len(found[p.Path]))
			}
			root := found[p.Path][0].Versions[0].Schema
			f := root.Properties["f"]
			if f == nil {
				t.Fatal("no property f")
			}
			if got := describe(f); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if required := slices.Contains(root.Required, "f"); required != c.required {
				t.Errorf("required: %t, want %t", required, c.required)
			}
		})
	}
}

// describe returns the parts of a schema that are set.
func describe(s *model.Schema) string {
	if s == nil {
		return "nil"
	}
	return strings.TrimSuffix(strings.TrimPrefix(format(reflect.ValueOf(*s)), "{"), "}")
}

func format(v reflect.Value) string {
	var parts []string
	switch v.Kind() {
	case reflect.Pointer:
		return format(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() && f.Kind() != reflect.Interface {
				parts = append(parts, v.Type().Field(i).Name+":"+format(f))
			} else if !f.IsZero() {
				parts = append(parts, fmt.Sprintf("%s:%v", v.Type().Field(i).Name, f.Interface()))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	case reflect.Slice:
		for i := range v.Len() {
			parts = append(parts, format(v.Index(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		for _, key := range v.MapKeys() {
			parts = append(parts, key.String()+":"+format(v.MapIndex(key)))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, " ") + "}"
	}
	return fmt.Sprint(v.Interface())
}
