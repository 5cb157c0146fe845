// Package printing_test checks what package rest documents about printers that listwatch does not
// depend on.
package printing_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/davecgh/go-spew/spew"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/transport"
)

const planted = "s3cr3t"

func shows(out string) bool {
	numbers := strings.Trim(fmt.Sprintf("%d", []byte(planted)), "[]")
	return strings.Contains(out, planted) || strings.Contains(out, base64.StdEncoding.EncodeToString([]byte(planted))) ||
		strings.Contains(out, numbers)
}

var (
	impersonate = map[string][]string{"key": {planted}}
	config      = &rest.Config{
		Password: planted, BearerToken: planted,
		Impersonate:     rest.ImpersonationConfig{UserName: "name", Extra: impersonate},
		TLSClientConfig: rest.TLSClientConfig{KeyData: []byte(planted)},
	}
	transportConfig = &transport.Config{
		Password: planted, BearerToken: planted,
		Impersonate: transport.ImpersonationConfig{UserName: "name", Extra: impersonate},
		TLS:         transport.TLSConfig{KeyData: []byte(planted)},
	}
)

// TestHidden encodes and dumps configs with printers that call their methods.
func TestHidden(t *testing.T) {
	for _, v := range []any{
		config, *config, config.Impersonate, &config.Impersonate, config.TLSClientConfig, &config.TLSClientConfig,
		transportConfig, *transportConfig, transportConfig.Impersonate, &transportConfig.Impersonate, transportConfig.TLS, &transportConfig.TLS,
		struct{ Config *rest.Config }{config}, map[string]rest.ImpersonationConfig{"a": config.Impersonate},
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
			v3, err := yaml.Marshal(v)
			if err != nil {
				t.Error(err)
			}
			byJSON, err := sigsyaml.Marshal(v)
			if err != nil {
				t.Error(err)
			}
			for name, out := range map[string]string{"yaml.v3": string(v3), "sigs.k8s.io/yaml": string(byJSON), "spew": spew.Sdump(v)} {
				if shows(out) {
					t.Errorf("%s prints %s", name, out)
				}
			}
		})
	}
}

// TestKnownToPrint checks which printers print credentials, as documented.
func TestKnownToPrint(t *testing.T) {
	testify := spew.ConfigState{Indent: " ", DisablePointerAddresses: true, DisableCapacities: true, SortKeys: true, DisableMethods: true, MaxDepth: 10}
	user, err := yaml.Marshal(api.AuthInfo{Token: planted})
	if err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{
		"spew as testify uses it":     testify.Sdump(config),
		"yaml of a kubeconfig's user": string(user),
	} {
		if !shows(out) {
			t.Errorf("%s: prints %s", name, out)
		}
	}
}
