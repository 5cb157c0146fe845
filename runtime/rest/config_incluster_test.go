package rest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
)

func TestInClusterConfig(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	if _, err := InClusterConfig(); !errors.Is(err, ErrNotInCluster) {
		t.Errorf("got %v", err)
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "::1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "")
	if _, err := InClusterConfig(); !errors.Is(err, ErrNotInCluster) {
		t.Errorf("got %v", err)
	}
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	if _, err := inClusterConfig(folder); !os.IsNotExist(err) {
		t.Errorf("without a token: %v", err)
	}
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token := write("token", []byte("tok"))
	for _, ca := range [][]byte{nil, []byte("not PEM"), testcert.New(t).PEM} {
		want := ""
		if ca != nil {
			write("ca.crt", ca)
		}
		if len(ca) > 10 {
			want = filepath.Join(folder, "ca.crt")
		}
		config, err := inClusterConfig(folder)
		if err != nil {
			t.Fatal(err)
		}
		if config.Host != "https://[::1]:443" || config.BearerToken != "tok" || config.BearerTokenFile != token || config.CAFile != want {
			t.Errorf("got %+v, want CAFile %q", config, want)
		}
	}
}
