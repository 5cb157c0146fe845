package rest_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// TestUnknownAuthProvider: the error says what to use.
func TestUnknownAuthProvider(t *testing.T) {
	for name, want := range map[string]string{
		"gcp":       `the auth provider "gcp" has been removed: use the exec plugin gke-gcloud-auth-plugin`,
		"azure":     `the auth provider "azure" has been removed: use the exec plugin kubelogin`,
		"openstack": `the auth provider "openstack" has been removed: use the exec plugin client-keystone-auth`,
		"oidc":      "import github.com/listwatch/listwatch/runtime/auth/oidc",
		"unknown":   `no Auth Provider found for name "unknown": use an exec plugin`,
	} {
		_, err := rest.HTTPClientFor(&rest.Config{AuthProvider: &api.AuthProviderConfig{Name: name, Config: map[string]string{"token": "s3cr3t"}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
		secrettest.Check(t, err, "s3cr3t")
	}
}
