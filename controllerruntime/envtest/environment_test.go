package envtest_test

import (
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/listwatch/listwatch/controllerruntime/envtest"
)

// listNodes lists nodes, which only the admin and those that a flag allows may do.
func listNodes(t *testing.T, config *rest.Config) error {
	t.Helper()
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	_, err = clients.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	return err
}

func start(t *testing.T, environment *envtest.Environment) *rest.Config {
	t.Helper()
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	return config
}

func TestEnvironment(t *testing.T) {
	environment := &envtest.Environment{CRDDirectoryPaths: []string{"testdata/crds"}, ErrorIfCRDPathMissing: true}
	environment.CRDInstallOptions.CleanUpAfterUse = true
	for range 2 { // it can be started again
		config := start(t, environment)
		if config != environment.Config || len(environment.CRDs) == 0 {
			t.Errorf("fields are not set: %v, %d CRDs", environment.Config, len(environment.CRDs))
		}
		if err := listNodes(t, config); err != nil {
			t.Error(err)
		}
		fromFile, err := clientcmd.RESTConfigFromKubeConfig(environment.KubeConfig)
		if err != nil {
			t.Fatal(err)
		}
		if err = listNodes(t, fromFile); err != nil {
			t.Error(err)
		}

		jane, err := environment.AddUser(envtest.User{Name: "jane", Groups: []string{"readers"}}, &rest.Config{UserAgent: "jane"})
		if err != nil {
			t.Fatal(err)
		}
		if err := listNodes(t, jane.Config()); err == nil || !strings.Contains(err.Error(), `User "jane" cannot list resource "nodes"`) {
			t.Errorf("jane lists nodes: %v", err)
		}
		if jane.Config().UserAgent != "jane" {
			t.Error("the base of the configuration is lost")
		}
		if _, err := jane.Kubectl(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(environment.WebhookInstallOptions.LocalServingCertDir + "/tls.key"); err != nil {
			t.Error(err)
		}

		if err := environment.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := listNodes(t, config); err == nil {
			t.Error("the server is not stopped")
		}
		if _, err := os.Stat(environment.WebhookInstallOptions.LocalServingCertDir); !os.IsNotExist(err) {
			t.Errorf("the certificate of webhooks is left: %v", err)
		}
		if _, err := environment.AddUser(envtest.User{Name: "jane"}, nil); err == nil {
			t.Error("a stopped server has users")
		}
	}
}

func TestFlags(t *testing.T) {
	environment := &envtest.Environment{BinaryAssetsDirectory: "/nowhere"}
	environment.ControlPlane.GetAPIServer().Configure().Set("authorization-mode", "AlwaysAllow").Append("feature-gates", "A=true")
	start(t, environment)
	jane, err := environment.AddUser(envtest.User{Name: "jane"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := listNodes(t, jane.Config()); err != nil {
		t.Error(err)
	}
}

func TestExistingCluster(t *testing.T) {
	config := start(t, &envtest.Environment{})
	environment := &envtest.Environment{UseExistingCluster: new(true), Config: config, CRDDirectoryPaths: []string{"testdata/crds"}}
	if got := start(t, environment); got != config {
		t.Errorf("uses %s", got.Host)
	}
}

func TestFailures(t *testing.T) {
	flags := &envtest.Environment{}
	flags.ControlPlane.GetAPIServer().Configure().Set("authorization-mode", "Webhook")
	for want, environment := range map[string]*envtest.Environment{
		"nowhere": {CRDDirectoryPaths: []string{"nowhere"}, ErrorIfCRDPathMissing: true},
		"start an API server: --authorization-mode: Webhook": flags,
	} {
		if _, err := environment.Start(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	}
}
