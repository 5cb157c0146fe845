package identity_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// TestApplyConfigurations compares apply configurations of k8s.io/api with those that client-go
// contains.
func TestApplyConfigurations(t *testing.T) {
	const input, sub = "applyconfigurations", "applyconfigurations"
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	module := moduleDir(t, dir, clientGo)
	out := workDir(t, input, released)
	copyFiles(t, filepath.Join(module, sub), filepath.Join(out, sub), func(file, content string) bool {
		return isSource(file) && !handwritten(file, content)
	})
	release := mustParse(t, released, out, clientGo)

	job := kubernetesJob(t, dir)
	job.OutputDir = workDir(t, input, ours)
	job.ApplyPackages = append(genclientPackages(t, dir, "k8s.io/api/..."), "k8s.io/apimachinery/pkg/apis/meta/v1")
	job.Apply = []string{"--openapi-schema=" + definitions(t, filepath.Join(out, sub, "internal", "internal.go"), job.OutputDir)}
	if err := peers.Ours(t).Run(dir, job.ApplyCommand()); err != nil {
		t.Fatal(err)
	}
	our := mustParse(t, ours, job.OutputDir, clientGo)
	check(t, dir, release, our)
	report(t, input, release, our)
}

// definitions writes an OpenAPI document that defines the types of client-go's schema, without
// their fields: it decides which kinds have functions that extract.
func definitions(t *testing.T, schema, dir string) string {
	t.Helper()
	text, err := os.ReadFile(schema)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, name := range regexp.MustCompile(`(?m)^- name: (io\..*)$`).FindAllSubmatch(text, -1) {
		all[string(name[1])] = map[string]string{"type": "object"}
	}
	if len(all) < 500 {
		t.Fatalf("%s has %d types", schema, len(all))
	}
	document, err := json.Marshal(map[string]any{"definitions": all})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(filepath.Dir(dir), "openapi.json")
	if err := os.WriteFile(file, document, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
