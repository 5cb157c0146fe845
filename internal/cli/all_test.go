package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// elsewhere are the flags of parts that gen-all does not have, because it decides what they say.
var elsewhere = []string{
	"versioned-clientset-package", "internal-clientset-package", "listers-package", // it generates these itself
	"output-file", // of files in API packages, which cannot be changed
	"crd-versions",
}

// TestAllFlags checks that gen-all has the flags of all parts, some with the prefix crd-.
func TestAllFlags(t *testing.T) {
	all := GenAll("")
	flags := newFlags(all.Name)
	all.Bind(flags)
	if err := flags.seal(); err != nil {
		t.Fatal(err)
	}
	for _, part := range []func(string) Tool{GenClientset, GenLister, GenInformer, GenApplyConfiguration, GenDeepCopy, GenRegister, GenCRD} {
		tool := part("")
		own := newFlags(tool.Name)
		tool.Bind(own)
		if err := own.seal(); err != nil {
			t.Fatal(err)
		}
		own.set.VisitAll(func(flag *pflag.Flag) {
			if slices.Contains(elsewhere, flag.Name) {
				return
			}
			name := flag.Name
			if flags.set.Lookup(name) == nil {
				name = "crd-" + name
			}
			if found := flags.set.Lookup(name); found == nil || found.Value.Type() != flag.Value.Type() {
				t.Errorf("gen-all has no flag --%s as %s has", strings.TrimPrefix(name, "crd-"), tool.Name)
			}
		})
	}
}
