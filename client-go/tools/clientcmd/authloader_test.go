package clientcmd_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/auth"
	"k8s.io/client-go/tools/clientcmd"
)

func TestAuthLoaders(t *testing.T) {
	dir := t.TempDir()
	good, bad, missing := filepath.Join(dir, "good"), filepath.Join(dir, "bad"), filepath.Join(dir, "missing")
	for path, text := range map[string]string{good: `{"User":"ann","Password":"p","Insecure":true}`, bad: "no JSON"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yes := true
	want := &auth.Info{User: "ann", Password: "p", Insecure: &yes}
	for name, loader := range map[string]clientcmd.AuthLoader{
		"default":   clientcmd.NewDefaultAuthLoader(),
		"prompting": clientcmd.NewPromptingAuthLoader(strings.NewReader("")), // it has no terminal here
	} {
		if got, err := loader.LoadAuth(good); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if got, err := loader.LoadAuth(bad); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
		if got, err := loader.LoadAuth(missing); err == nil || name == "default" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if _, err := os.Stat(missing); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: without credentials, the file is written: %v", name, err)
		}
	}
}

func TestAuthInfo(t *testing.T) {
	no := false
	before := rest.Config{Host: "h", Username: "old", BearerToken: "old", TLSClientConfig: rest.TLSClientConfig{Insecure: true, CAFile: "old"}}
	for _, tt := range []struct {
		name     string
		info     auth.Info
		complete bool
		want     rest.Config
	}{
		{"nothing", auth.Info{}, false, rest.Config{Host: "h", TLSClientConfig: rest.TLSClientConfig{Insecure: true}}},
		{"password", auth.Info{User: "u", Password: "p", Insecure: &no}, true, rest.Config{Host: "h", Username: "u", Password: "p"}},
		{"token", auth.Info{BearerToken: "t", CAFile: "ca"}, true, rest.Config{Host: "h", BearerToken: "t", TLSClientConfig: rest.TLSClientConfig{Insecure: true, CAFile: "ca"}}},
		{"certificate", auth.Info{CertFile: "c", KeyFile: "k"}, true, rest.Config{Host: "h", TLSClientConfig: rest.TLSClientConfig{Insecure: true, CertFile: "c", KeyFile: "k"}}},
	} {
		got, err := tt.info.MergeWithConfig(before)
		if err != nil || !reflect.DeepEqual(got, tt.want) || tt.info.Complete() != tt.complete {
			t.Errorf("%s: %v, complete %t, %v", tt.name, got, tt.info.Complete(), err)
		}
	}
	if before.Username != "old" {
		t.Error("the config was modified")
	}
}
