package cli

import (
	"fmt"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// ApplyFlags are the flags of apply configurations.
type ApplyFlags struct {
	external *map[string]string
	values   []string
}

// ApplyConfiguration binds the flags of apply configurations: types outside of the input with the
// packages of their apply configurations, and the file with the schemas. The caller must call Set
// once the flags are parsed.
func (f *Flags) ApplyConfiguration(external *map[string]string, schema *string) *ApplyFlags {
	a := &ApplyFlags{external: external}
	f.set.StringSliceVar(&a.values, "external-applyconfigurations", nil, "list of `package.Type:package` with the packages of the apply configurations of types outside of the input, as in k8s.io/api/apps/v1.Deployment:k8s.io/client-go/applyconfigurations/apps/v1")
	f.set.StringVar(schema, "openapi-schema", "", "OpenAPI document in JSON, or directory of such `files`, that defines the types; if empty, there are no Extract functions")
	return a
}

// ApplyChoice binds the flag that selects whether apply configurations are generated.
func (f *Flags) ApplyChoice() *string {
	choice := f.set.String("apply-configurations", string(generators.Auto), "generate apply configurations, and clients with Apply methods: true, false, or auto for new output directories and those that have some")
	values(f.set, "apply-configurations", names(generators.Choices))
	return choice
}

// Set completes the options from the parsed flags.
func (a *ApplyFlags) Set() error {
	*a.external = map[string]string{}
	for _, value := range a.values {
		typ, pkg, ok := strings.Cut(value, ":")
		if !ok || strings.Contains(pkg, ":") {
			return fmt.Errorf("%w: --external-applyconfigurations: %q is not package.Type:package", generators.ErrUsage, value)
		}
		if _, twice := (*a.external)[typ]; twice {
			return fmt.Errorf("%w: --external-applyconfigurations: type %s is listed twice", generators.ErrUsage, typ)
		}
		(*a.external)[typ] = pkg
	}
	return nil
}
