package aliases_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/internal/golden"
)

// The archive has the OpenAPI documents that client-go embeds, which are Kubernetes' own.
func TestDocuments(t *testing.T) {
	dir, err := modules.Go(t.Context(), ".", "list", "-f", "{{.Dir}}", "k8s.io/client-go/openapi/openapitest")
	if err != nil {
		t.Fatal(err)
	}
	documents := os.DirFS(filepath.Join(string(bytes.TrimSpace(dir)), "testdata"))
	archive := filepath.Join(module, "openapi", "openapitest", "documents.zip")
	files, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = files.Close() }() // was read
	got, want := contents(t, files), contents(t, documents)
	if golden.Update && !maps.Equal(got, want) {
		if err = writeArchive(archive, documents); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("the documents are not client-go's: %v, want %v; run the test with LISTWATCH_UPDATE=1", slices.Collect(maps.Keys(got)), slices.Collect(maps.Keys(want)))
	}
}

// contents returns the texts of files by name.
func contents(t *testing.T, files fs.FS) map[string]string {
	t.Helper()
	names, err := fs.Glob(files, "*")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// writeArchive writes files to an archive, the smallest there is.
func writeArchive(name string, files fs.FS) error {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	if err := errors.Join(archive.AddFS(files), archive.Close()); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}
