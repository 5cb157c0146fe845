package certificate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/util/certificate"
)

// files creates files with the given texts.
func files(t *testing.T, texts map[string][]byte) {
	t.Helper()
	for path, text := range texts {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFileStoreCurrent(t *testing.T) {
	s := newSigner(t)
	certA, keyA := s.pair("a", 1)
	certB, keyB := s.pair("b", 2)
	certC, keyC := s.pair("c", 3)
	for _, tt := range []struct {
		name  string
		files map[string][]byte
		want  int64 // 0 for none, -1 for an error
	}{
		{"nothing", nil, 0},
		{"plain names", map[string][]byte{"p.crt": certC, "p.key": keyC}, 3},
		{"given names first", map[string][]byte{"given.crt": certB, "given.key": keyB, "p.crt": certC, "p.key": keyC}, 2},
		{"current first", map[string][]byte{"p-current.pem": append(append([]byte{}, certA...), keyA...), "given.crt": certB, "given.key": keyB}, 1},
		{"without key", map[string][]byte{"given.crt": certB, "p.crt": certC, "p.key": keyC}, 3},
		{"keys of others", map[string][]byte{"p.crt": certC, "p.key": keyB}, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.files {
				files(t, map[string][]byte{filepath.Join(dir, name): text})
			}
			store, err := certificate.NewFileStore("p", dir, dir, filepath.Join(dir, "given.crt"), filepath.Join(dir, "given.key"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := store.Current()
			none := (*certificate.NoCertKeyError)(nil)
			switch {
			case tt.want > 0 && (err != nil || serial(got) != tt.want):
				t.Errorf("certificate %d, %v", serial(got), err)
			case tt.want == 0 && !errors.As(err, &none):
				t.Errorf("error %v", err)
			case tt.want < 0 && (err == nil || errors.As(err, &none)):
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestFileStoreUpdate(t *testing.T) {
	s := newSigner(t)
	dir := filepath.Join(t.TempDir(), "new")
	store, err := certificate.NewFileStore("p", dir, dir, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for n := int64(1); n <= 2; n++ {
		updated, err := store.Update(s.pair("a", n))
		if err != nil || serial(updated) != n {
			t.Fatalf("updated to %d, %v", serial(updated), err)
		}
		current, err := store.Current()
		if err != nil || serial(current) != n {
			t.Errorf("current %d, %v", serial(current), err)
		}
		target, err := os.Readlink(store.CurrentPath())
		if err != nil || !filepath.IsAbs(target) {
			t.Errorf("link to %s, %v", target, err)
		}
		if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("file %v, %v", info, err)
		}
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // names have seconds
	}
	if links, err := filepath.Glob(filepath.Join(dir, "*.pem")); err != nil || len(links) != 3 {
		t.Errorf("files %v, %v", links, err)
	}
}

func TestFileStoreErrors(t *testing.T) {
	s := newSigner(t)
	certPEM, keyPEM := s.pair("a", 1)
	_, otherKey := s.pair("b", 2)
	for _, tt := range []struct {
		name      string
		file      string // in the place of a link
		cert, key []byte
		want      string
	}{
		{"no certificate", "", keyPEM, keyPEM, "invalid certificate data"},
		{"no key", "", certPEM, []byte("x"), "invalid key data"},
		{"another key", "", certPEM, otherKey, "could not load"},
		{"current is a file", "p-current.pem", certPEM, keyPEM, "to be a symlink"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.file != "" {
				files(t, map[string][]byte{filepath.Join(dir, tt.file): []byte("x")})
			}
			store, err := certificate.NewFileStore("p", dir, dir, "", "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Update(tt.cert, tt.key); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	dir := t.TempDir()
	files(t, map[string][]byte{filepath.Join(dir, "p-updated.pem"): []byte("x")})
	if _, err := certificate.NewFileStore("p", dir, dir, "", ""); err == nil || !strings.Contains(err.Error(), "to be a symlink") {
		t.Errorf("error %v", err)
	}
}

// An update that ended before its link was renamed is completed.
func TestFileStoreRecover(t *testing.T) {
	s := newSigner(t)
	dir := t.TempDir()
	certPEM, keyPEM := s.pair("a", 1)
	path := filepath.Join(dir, "p-2030.pem")
	files(t, map[string][]byte{path: append(certPEM, keyPEM...)})
	if err := os.Symlink(path, filepath.Join(dir, "p-updated.pem")); err != nil {
		t.Fatal(err)
	}
	store, err := certificate.NewFileStore("p", dir, dir, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if current, err := store.Current(); err != nil || serial(current) != 1 {
		t.Errorf("current %d, %v", serial(current), err)
	}
}
