package golangci_test

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/listwatch/listwatch/generators/analyzer"
	_ "github.com/listwatch/listwatch/generators/analyzer/golangci"
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
		t.Errorf("the plugin has the analyzers %v (%v), want the one of package analyzer", analyzers, err)
	}
	if mode := plugin.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", mode)
	}
	for _, c := range []struct {
		name   string
		config any
		fails  bool
	}{
		{name: "rules", config: map[string]any{"lint": []string{"default", "maxlength"}}},
		{name: "an unknown setting", config: map[string]any{"unknown": true}, fails: true},
	} {
		if _, err := newPlugin(c.config); (err != nil) != c.fails {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
