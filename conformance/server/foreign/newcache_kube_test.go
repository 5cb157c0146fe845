//go:build kube

package foreign_test

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	clientcmdapi "github.com/listwatch/listwatch/runtime/clientcmd/api"
)

// TestNewCacheOnKube runs suites of controller-runtime with our cache on the real server, one after the other.
func TestNewCacheOnKube(t *testing.T) {
	copied := useNewCache(t)
	for _, name := range []string{"pkg/cache", "pkg/manager", "pkg/client"} {
		t.Run(name, func(t *testing.T) { copied.suite(t, onKube, name) })
	}
}

// onKube starts a real server, and returns its kubeconfig.
func onKube(t *testing.T) (kubeconfig string) {
	t.Helper()
	config := kube.StartTest(t).Config()
	out := clientcmdapi.NewConfig()
	out.Clusters["kube"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData, CertificateAuthority: config.CAFile}
	out.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	out.Contexts["kube"] = &clientcmdapi.Context{Cluster: "kube", AuthInfo: "admin"}
	out.CurrentContext = "kube"
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*out, kubeconfig); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}
