package cli

import (
	"context"

	"github.com/listwatch/listwatch/generators"
)

// GenRBAC returns the command gen-rbac; source is the text of its main.go.
func GenRBAC(source string) Tool {
	return Tool{Name: "gen-rbac", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.RBACOptions
		flags.manifestDir(generators.DefaultRBACDir)
		flags.RBAC(&opts, "")
		flags.input(&opts.Options)
		_ = flags.set.MarkHidden("go-header-file") // bound in the line above
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.RBAC(ctx, opts)
		}
	}}
}

// GenWebhook returns the command gen-webhook; source is the text of its main.go.
func GenWebhook(source string) Tool {
	return Tool{Name: "gen-webhook", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.WebhookOptions
		flags.manifestDir(generators.DefaultWebhookDir)
		flags.yamlHeader(&opts.YAMLHeaderFile, &opts.Year, "")
		flags.input(&opts.Options)
		_ = flags.set.MarkHidden("go-header-file") // bound in the line above
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.Webhook(ctx, opts)
		}
	}}
}

// manifestDir binds the flag with the output directory of a tool that writes YAML.
func (f *Flags) manifestDir(defaultDir string) {
	f.set.StringVar(&f.outputDir, "output-dir", "", "output `directory` (default: "+defaultDir+" in the module of the packages)")
}

// RBAC binds the flags of roles. Names of flags that do not say that they are about roles start with the prefix.
func (f *Flags) RBAC(opts *generators.RBACOptions, prefix string) {
	f.set.StringVar(&opts.RoleName, prefix+"role-name", "", "`name` of the role for markers without roleName (default: the name in the output file, or "+generators.DefaultRoleName+")")
	f.set.StringVar(&opts.FileName, prefix+"file-name", generators.DefaultRoleFile, "`name` of the file with the roles")
	f.yamlHeader(&opts.YAMLHeaderFile, &opts.Year, prefix)
}

// yamlHeader binds the flags of the text at the top of YAML files.
func (f *Flags) yamlHeader(file, year *string, prefix string) {
	f.set.StringVar(file, prefix+"header-file", "", "`file` with comments for the top of YAML files; \" YEAR\" is replaced by --"+prefix+"year")
	f.set.StringVar(year, prefix+"year", "", "`year` in the header")
}

// Manifests binds the flags of roles and webhooks of gen-all.
func (f *Flags) Manifests(opts *generators.AllOptions) {
	f.set.StringVar(&opts.RBACDir, "rbac-dir", "", "`directory` of the roles (default: "+generators.DefaultRBACDir+" in the module, for new output directories and if there is a directory config)")
	f.RBAC(&opts.RBAC, "rbac-")
	f.set.StringVar(&opts.WebhookDir, "webhook-dir", "", "`directory` of the configurations of webhooks (default: "+generators.DefaultWebhookDir+" in the module, as above)")
	f.yamlHeader(&opts.Webhooks.YAMLHeaderFile, &opts.Webhooks.Year, "webhook-")
}
