package openapitest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"k8s.io/client-go/openapi/openapitest"
)

func TestNewEmbeddedFileClient(t *testing.T) {
	paths, err := openapitest.NewEmbeddedFileClient().Paths()
	if err != nil {
		t.Fatal(err)
	}
	for path, gv := range paths {
		text, err := gv.Schema("application/json")
		if err != nil {
			t.Fatal(err)
		}
		var document struct{ OpenAPI string }
		if err = json.Unmarshal(text, &document); err != nil || document.OpenAPI == "" {
			t.Errorf("%s: version %q, %v", path, document.OpenAPI, err)
		}
	}
	for _, path := range []string{"api/v1", "apis/apps/v1", "apis/batch/v1", "apis/discovery.k8s.io/v1"} {
		if paths[path] == nil {
			t.Errorf("%s is missing", path)
		}
	}
}

// Documents that are read at the same time are whole.
func TestEmbeddedDocumentsAreRead(t *testing.T) {
	paths, err := openapitest.NewEmbeddedFileClient().Paths()
	if err != nil {
		t.Fatal(err)
	}
	read := func() []byte {
		text, err := paths["api/v1"].Schema("application/json")
		if err != nil {
			t.Error(err)
		}
		return text
	}
	other := make(chan []byte)
	go func() { other <- read() }()
	if text := read(); !slices.Equal(text, <-other) || len(text) == 0 {
		t.Errorf("%d bytes, which differ between reads", len(text))
	}
}
