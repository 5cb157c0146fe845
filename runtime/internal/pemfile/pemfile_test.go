package pemfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/pemfile"
)

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ data, file, want string }{
		"file":          {"", file, "file"},
		"data":          {"data", "", "data"},
		"data and file": {"data", file, "data"},
		"data, no file": {"data", "/nowhere", "data"},
		"neither":       {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(test.data)
			if err := pemfile.Load(pemfile.Source{Data: &data, File: test.file}); err != nil {
				t.Fatal(err)
			}
			if string(data) != test.want {
				t.Errorf("got %q, want %q", data, test.want)
			}
		})
	}
}

func TestLoadStopsAtMissingFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	var first, missing, last []byte
	err := pemfile.Load(pemfile.Source{Data: &first, File: file}, pemfile.Source{Data: &missing, File: "/nowhere"}, pemfile.Source{Data: &last, File: file})
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want that the file does not exist", err)
	}
	if string(first) != "file" || missing != nil || last != nil {
		t.Errorf("got %q, %q, %q", first, missing, last)
	}
}
