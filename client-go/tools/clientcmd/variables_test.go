package clientcmd_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

func TestRecommendedHomeFileIsAssigned(t *testing.T) {
	old := clientcmd.RecommendedHomeFile
	t.Cleanup(func() { clientcmd.RecommendedHomeFile = old })
	t.Setenv(clientcmd.RecommendedConfigPathEnvVar, "")
	for _, file := range []string{filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")} {
		clientcmd.RecommendedHomeFile = file
		if got := clientcmd.NewDefaultClientConfigLoadingRules().Precedence; !slices.Equal(got, []string{file}) {
			t.Errorf("rules are for %v, want %s", got, file)
		}
		if got := clientcmd.NewDefaultPathOptions().GlobalFile; got != file {
			t.Errorf("options are for %s, want %s", got, file)
		}
	}
}

func TestUseModifyConfigLockIsAssigned(t *testing.T) {
	t.Cleanup(func() { clientcmd.UseModifyConfigLock = true })
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file+".lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	options := clientcmd.NewDefaultPathOptions()
	options.LoadingRules.ExplicitPath = file
	config := api.NewConfig()
	config.Clusters["a"] = &api.Cluster{Server: "https://a.test"}
	if err := clientcmd.ModifyConfig(options, *config, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v, want that of a lock", err)
	}
	clientcmd.UseModifyConfigLock = false
	if err := clientcmd.ModifyConfig(options, *config, false); err != nil {
		t.Error(err)
	}
}
