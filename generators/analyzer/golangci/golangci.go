// Package golangci makes the analyzer of API types a plugin of golangci-lint.
//
// A golangci-lint with the plugin is built by "golangci-lint custom" from a file .custom-gcl.yml that
// lists this package; docs/checks.md shows both files. The plugin's name is listwatch.
package golangci

import (
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/listwatch/listwatch/generators/analyzer"
)

func init() { register.Plugin(analyzer.Analyzer.Name, newPlugin) }

// settings are the plugin's settings in golangci-lint's configuration.
type settings struct {
	// Lint lists the rules for types, as the flag --lint of gen-all does.
	Lint []string `json:"lint"`
}

func newPlugin(config any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[settings](config)
	if err != nil {
		return nil, err
	}
	if len(s.Lint) > 0 {
		if err := analyzer.Analyzer.Flags.Set("lint", strings.Join(s.Lint, ",")); err != nil {
			return nil, err
		}
	}
	return plugin{}, nil
}

// plugin implements [register.LinterPlugin].
type plugin struct{}

func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzer.Analyzer}, nil
}

// GetLoadMode returns the mode in which packages have types: they locate imported packages.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
