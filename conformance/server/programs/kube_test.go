//go:build kube

package programs

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
)

func TestOnKube(t *testing.T) {
	server := kube.StartTest(t)
	examples := filepath.Join(golden.Root(t), "examples")
	config := server.Config()
	const name = "kube"
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(api.Config{
		Clusters:       map[string]*api.Cluster{name: {Server: config.Host, CertificateAuthorityData: config.CAData, CertificateAuthority: config.CAFile}},
		AuthInfos:      map[string]*api.AuthInfo{name: {Token: config.BearerToken}},
		Contexts:       map[string]*api.Context{name: {Cluster: name, AuthInfo: name}},
		CurrentContext: name,
	}, kubeconfig); err != nil {
		t.Fatal(err)
	}
	test := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "./tour", "-args", "-kubeconfig", kubeconfig)
	test.Dir = examples
	out, err := test.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
