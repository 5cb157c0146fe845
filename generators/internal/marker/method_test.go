package marker

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// methodCase is the value of a method marker and the expected result.
type methodCase struct {
	name  string
	give  string
	want  Method
	fault string // without its end; empty for none
}

var methodCases = []methodCase{
	{name: "shortest", give: "Try,verb=get", want: Method{Name: "Try", Verb: "get"}},
	{
		name: "all settings",
		give: "UpdateScale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=Part",
		want: Method{Name: "UpdateScale", Verb: "update", Subresource: "scale", Input: "k8s.io/api/autoscaling/v1.Scale", Result: "Part"},
	},
	{
		name: "spaces around settings",
		give: "Try, verb = create , input= Part",
		want: Method{Name: "Try", Verb: "create", Input: "Part"},
	},
	{name: "result of create", give: "Try,verb=create,result=Part", want: Method{Name: "Try", Verb: "create", Result: "Part"}},
	{name: "result of list", give: "Try,verb=list,result=Part", want: Method{Name: "Try", Verb: "list", Result: "Part"}},
	{name: "result of patch", give: "Try,verb=patch,result=Part", want: Method{Name: "Try", Verb: "patch", Result: "Part"}},
	{name: "input of apply", give: "Try,verb=apply,input=Part", want: Method{Name: "Try", Verb: "apply", Input: "Part"}},
	{name: "letters of every script", give: "Übung,verb=get", want: Method{Name: "Übung", Verb: "get"}},

	{name: "subresource of two parts", give: "Try,verb=get,subresource=trial/first", want: Method{Name: "Try", Verb: "get", Subresource: "trial/first"}},

	{name: "subresource in quotes", give: `Try,verb=get,subresource="trial"`, fault: `warning: invalid subresource "\"trial\""`},
	{name: "subresource of characters that cannot be seen", give: "Try,verb=get,subresource=a\x01b\x03c", fault: `warning: invalid subresource "a\x01b\x03c"`},
	{name: "input that is not a name", give: "Try,verb=create,input=Trial-Part", fault: "input=Trial-Part of method Try is not a type"},
	{name: "input that is not exported", give: "Try,verb=create,input=trial", fault: "input=trial of method Try is not a type"},
	{name: "pointer as input", give: "Try,verb=create,input=*Trial", fault: "input=*Trial of method Try is not a type"},
	{name: "package as result", give: "Try,verb=get,result=example.com/court/v1.", fault: "result=example.com/court/v1. of method Try is not a type"},
	{name: "package of no path", give: "Try,verb=get,result=.Trial", fault: "result=.Trial of method Try is not a type"},
	{name: "relative path", give: "Try,verb=get,result=./court.Trial", fault: "result=./court.Trial of method Try is not a type"},
	{name: "slice as result", give: "Try,verb=get,result=[]example.com/court/v1.Trial", fault: "result=[]example.com/court/v1.Trial of method Try is not a type"},
	{name: "nothing", give: "", fault: `invalid method name ""; use an exported Go name, as in +genclient:method=Name,verb=create`},
	{name: "no name", give: "verb=get", fault: `invalid method name "verb=get"`},
	{name: "empty name", give: ",verb=get", fault: `invalid method name ""`},
	{name: "unexported name", give: "try,verb=get", fault: `invalid method name "try"`},
	{name: "invalid name", give: "Try-on,verb=get", fault: `invalid method name "Try-on"`},
	{name: "space before the name", give: " Try,verb=get", fault: `invalid method name " Try"`},
	{name: "no verb", give: "Try", fault: "method Try has no verb; add one, as in +genclient:method=Try,verb=create"},
	{name: "no value", give: "Try,verb=get,subresource=", fault: `invalid setting "subresource=" of method Try; use key=value`},
	{name: "no key", give: "Try,verb=get,=x", fault: `unknown setting "" of method Try`},
	{name: "comma at the end", give: "Try,verb=get,", fault: `invalid setting "" of method Try; use key=value`},
	{name: "two values", give: "Try,verb=get=list", fault: `invalid setting "verb=get=list" of method Try; use key=value`},
	{name: "unknown setting", give: "Try,verb=get,inputs=Part", fault: `unknown setting "inputs" of method Try; did you mean input?`},
	{name: "setting in upper case", give: "Try,Verb=get", fault: `unknown setting "Verb" of method Try; did you mean verb?`},
	{name: "verb that does not exist", give: "Try,verb=updat", fault: `unsupported verb "updat" of method Try; did you mean update?`},
	{name: "verb that a method cannot have", give: "Try,verb=deleteCollection", fault: `unsupported verb "deleteCollection" of method Try; want one of create, update, get, list, patch, apply`},
	{name: "watch", give: "Try,verb=watch", fault: `unsupported verb "watch" of method Try; did you mean patch?`},
	{name: "input of get", give: "Try,verb=get,input=Part", fault: `method Try: verb "get" sends no object; remove input=, or use one of the verbs create, update, apply`},
	{name: "input of list", give: "Try,verb=list,input=Part", fault: `method Try: verb "list" sends no object`},
	{name: "input of patch", give: "Try,verb=patch,input=Part", fault: `method Try: verb "patch" sends no object`},
}

func TestParseMethod(t *testing.T) {
	for _, c := range methodCases {
		t.Run(c.name, func(t *testing.T) {
			diags := diag.List{Lenient: true}
			got, ok := parseMethod(Tag{Name: "genclient:method", Value: c.give, HasValue: true, Pos: place(1)}, &diags)
			if refused := diags.Err("") != nil; ok == refused {
				t.Errorf("ok is %v", ok)
			}
			if c.fault != "" {
				matches(t, faults(t, &diags), []string{"1: " + c.fault})
				return
			}
			matches(t, faults(t, &diags), nil)
			c.want.Pos = place(1)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestVerbsOfMethods checks that the verbs of methods are verbs of clients.
func TestVerbsOfMethods(t *testing.T) {
	verbs := " " + strings.Join(Verbs, " ") + " "
	for _, v := range append(append([]string{}, methodVerbs...), inputVerbs...) {
		if !strings.Contains(verbs, " "+v+" ") {
			t.Errorf("%s is not a verb", v)
		}
	}
}
