package openapitest_test

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/openapi/openapitest"
)

func TestNewFileClient(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"api__v1_openapi.json": `{"core":1}`, "apis__apps__v1_openapi.json": `{"apps":1}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := openapitest.NewFileClient(dir).Paths()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"api/v1": `{"core":1}`, "apis/apps/v1": `{"apps":1}`} {
		gv, ok := paths[path]
		if !ok || len(paths) != 2 {
			t.Fatalf("paths are %v", paths)
		}
		if got, err := gv.Schema("application/json"); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", path, got, err)
		}
		if _, err := gv.Schema("application/com.github.proto-openapi.spec.v3@v1.0+protobuf"); err == nil {
			t.Error("there is only JSON")
		}
	}
	if _, err := openapitest.NewFileClient(filepath.Join(dir, "missing")).Paths(); err == nil {
		t.Error("a directory that does not exist has paths")
	}
}
