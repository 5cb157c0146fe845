package marker

import (
	"errors"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// TestEdits checks the corrections of invalid markers.
func TestEdits(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"unknown marker", "+genclient:nostatus", "+genclient:noStatus"},
		{"unknown marker with a value", "+genclient\n+genclient:onlyverbs=get", "+genclient\n+genclient:onlyVerbs=get"},
		{"space before the equals sign", "+genclient:onlyVerbs =get", "+genclient:onlyVerbs=get"},
		{"space in place of the colon", "+genclient noStatus", "+genclient:noStatus"},
		{"no near name", "+genclient\n+genclient:x", "+genclient\n+genclient:x"},
		{"two in a line", "+genclient, +genclient:noStatus", "+genclient, +genclient:noStatus"},
		{"verbs", "+genclient\n+genclient:onlyVerbs=get,lst,watch,UpdateStatus", "+genclient\n+genclient:onlyVerbs=get,list,watch,updateStatus"},
		{"separators", "+genclient\n+genclient:onlyVerbs=get;list", "+genclient\n+genclient:onlyVerbs=get,list"},
		{"separators between unknown verbs", "+genclient\n+genclient:onlyVerbs=get;lst", "+genclient\n+genclient:onlyVerbs=get;lst"},
		{"no value", "+genclient\n+genclient:noStatus=true", "+genclient\n+genclient:noStatus"},
		{"empty value", "+genclient\n+genclient:readonly=", "+genclient\n+genclient:readonly"},
		{"old form", "+genclient\n+nonNamespaced=true", "+genclient\n+genclient:nonNamespaced"},
		{"old form that disables", "+genclient\n+readonly=false", "+genclient\n+readonly=false"},
		{"without a client", "+genclient:noStatus\n+genclient:readonly", "+genclient\n+genclient:noStatus\n+genclient:readonly"},
		{"method's setting", "+genclient\n+genclient:method=Try,verb=get,subresources=x", "+genclient\n+genclient:method=Try,verb=get,subresource=x"},
		{"method's verb", "+genclient\n+genclient:method=Try, verb = updat ,subresource=x", "+genclient\n+genclient:method=Try, verb = update ,subresource=x"},
		{"method's verb of no near name", "+genclient\n+genclient:method=Try,verb=x", "+genclient\n+genclient:method=Try,verb=x"},
		{"contradiction", "+genclient\n+resourceName=a\n+resourceName=b", "+genclient\n+resourceName=a\n+resourceName=b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			ParseType(comment(c.give), &diags)
			source := "// " + strings.ReplaceAll(c.give, "\n", "\n// ")
			got, err := diag.Apply([]byte(source), edits(&diags))
			if err != nil {
				t.Fatal(err)
			}
			if want := "// " + strings.ReplaceAll(c.want, "\n", "\n// "); string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestGeneratorEdits is TestEdits for the markers of generators.
func TestGeneratorEdits(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"name", "+k8s:deepcopi-gen=package", "+k8s:deepcopy-gen=package"},
		{"name before another part", "+k8s:deepcopi-gen:interfaces=a.B", "+k8s:deepcopy-gen:interfaces=a.B"},
		{"no near name", "+k8s:zzzzzzzzzz-gen=package", "+k8s:zzzzzzzzzz-gen=package"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			for _, tag := range Tags(comment(c.give)) {
				CheckGenerator(tag, &diags)
			}
			got, err := diag.Apply([]byte("// "+c.give), edits(&diags))
			if err != nil || string(got) != "// "+c.want {
				t.Errorf("got %s, %v, want // %s", got, err, c.want)
			}
		})
	}
}

// edits returns the edits of all diagnostics.
func edits(diags *diag.List) []diag.Edit {
	var all diag.Errors
	_ = errors.As(diags.Err(""), &all) // nil without errors
	var list []diag.Edit
	for _, d := range append(all, diags.Warnings("")...) {
		list = append(list, d.Edits...)
	}
	return list
}
