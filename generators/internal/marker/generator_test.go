package marker

import (
	"testing"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

func TestCheckGenerator(t *testing.T) {
	for _, c := range []struct {
		name  string
		give  string
		fault string // without its end; empty for none
	}{
		{"known", "k8s:client-gen", ""},
		{"known, with an argument", "k8s:deepcopy-gen:interfaces", ""},
		{"no marker of Kubernetes", "acme:client-gen", ""},
		{"about no generator", "k8s:required", ""},
		{"generator in another place", "client-gen", ""},
		{"misspelt", "k8s:clinet-gen", "unknown marker +k8s:clinet-gen; did you mean +k8s:client-gen?"},
		{"misspelt, with an argument", "k8s:deep-copy-gen:interfaces", "unknown marker +k8s:deep-copy-gen:interfaces; did you mean +k8s:deepcopy-gen?"},
		{"misspelt at its end", "k8s:validation-gen-inputs", "unknown marker +k8s:validation-gen-inputs; did you mean +k8s:validation-gen-input?"},
		{"like nothing", "k8s:frobnication-machine-gen", "unknown marker +k8s:frobnication-machine-gen; want one of +k8s:applyconfiguration-gen, "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags diag.List
			CheckGenerator(Tag{Name: c.give, Pos: place(1)}, &diags)
			var want []string
			if c.fault != "" {
				want = []string{"1: " + c.fault}
			}
			matches(t, faults(t, &diags), want)
		})
	}
}

func TestIsGenerator(t *testing.T) {
	for name, want := range map[string]bool{
		"k8s:client-gen": true, "k8s:openapi-model-package": true,
		"client-gen": false, "k8s:deepcopy-gen:interfaces": false, "": false,
	} {
		if got := IsGenerator(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}
