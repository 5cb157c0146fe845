package generators

import (
	"github.com/listwatch/listwatch/generators/internal/manifest"
	"github.com/listwatch/listwatch/generators/model"
)

// DefaultWebhookDir is the default output directory of [Webhook] in its module, and WebhookFile the file in it.
const (
	DefaultWebhookDir = "config/webhook"
	WebhookFile       = "manifests.yaml"
)

// WebhookOptions configure [Webhook]. OutputPkg, Runtime and HeaderFile of Options are not used. If OutputDir is empty, it is
// [DefaultWebhookDir] in the module of each package.
type WebhookOptions struct {
	Options
	// YAMLHeaderFile contains the text at the top of the file, in which " YEAR" is replaced by a space and Year; empty for none.
	YAMLHeaderFile, Year string
}

// run returns the options of a run that generates configurations of webhooks.
func (o WebhookOptions) run() RunOptions {
	run := RunOptions{Options: o.Options, Webhooks: true, PackagesOnly: true, Lenient: true}
	run.OutputDir, run.OutputPkg, run.HeaderFile = "", "", ""
	return run
}

// WebhookEmitter returns the emitter of [Webhook]. Its input must be read with Webhooks of [RunOptions]. It returns an error that wraps
// [ErrUsage] if the file with the header cannot be read.
func WebhookEmitter(opts WebhookOptions) (Emitter, error) {
	header, err := yamlHeader(opts.Dir, opts.YAMLHeaderFile, opts.Year)
	if err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		return manifests(in, "gen-webhook", opts.Options, DefaultWebhookDir, func(m *model.Manifests, _ string) ([]File, error) {
			if len(m.Webhooks) == 0 {
				return nil, nil
			}
			text, err := manifest.Webhooks(m)
			return []File{{Path: WebhookFile, Content: append([]byte(header), text...), Pos: m.Webhooks[0].Pos}}, err
		})
	}), nil
}
