package golangci_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/listwatch/listwatch/generators/analyzer"
	_ "github.com/listwatch/listwatch/generators/analyzer/golangci"
	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
)

func TestPlugin(t *testing.T) {
	newPlugin, err := register.GetPlugin("listwatch")
	if err != nil {
		t.Fatal(err)
	}
	plugin, err := newPlugin(nil)
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := plugin.BuildAnalyzers()
	if err != nil || len(analyzers) != 1 || analyzers[0] != analyzer.Analyzer {
		t.Errorf("got %v, %v", analyzers, err)
	}
	if mode := plugin.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", mode)
	}
	if _, err := newPlugin(map[string]any{"unknown": true}); err == nil {
		t.Error("an unknown setting is no error")
	}
}
