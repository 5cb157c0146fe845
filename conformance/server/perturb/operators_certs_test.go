//go:build operators

package perturb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/listwatch/listwatch/apitest/embedded"
)

var rotators atomic.Int64 // for the names of their controllers, which differ in a process

func init() {
	operators = append(operators, program{
		name:   "cert-controller",
		server: []embedded.Option{embedded.WithManifestText(hooks)},
		start: func(ctx context.Context, user *rest.Config) error {
			mounted, err := os.MkdirTemp("", "certs")
			if err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(mounted) }()
			if err := os.WriteFile(filepath.Join(mounted, "tls.crt"), nil, 0o600); err != nil {
				return err
			}
			return managing(func(_ context.Context, mgr ctrl.Manager) error {
				return rotator.AddRotator(mgr, &rotator.CertRotator{
					ControllerName: fmt.Sprint("rotator-", rotators.Add(1)),
					SecretKey:      types.NamespacedName{Namespace: "default", Name: "certs"}, CertDir: mounted,
					CAName: "ca", CAOrganization: "ca", DNSName: "hooks.default.svc", IsReady: make(chan struct{}),
					Webhooks:       []rotator.WebhookInfo{{Name: "hooks", Type: rotator.Validating}},
					CaCertDuration: 48 * time.Hour, ServerCertDuration: 24 * time.Hour, LookaheadInterval: time.Hour,
					RotationCheckFrequency: time.Hour,
				})
			})(ctx, user)
		},
		users: users(
			merge("secrets", "certs", `{"data":{"tls.crt":null}}`),
			merge("secrets", "certs", `{"data":{"ca.crt":null}}`),
			distrust,
		),
		ignore: func(o *unstructured.Unstructured) {
			withoutSecretData(o)
			webhooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
			for _, w := range webhooks {
				if ca, _, _ := unstructured.NestedString(w.(map[string]any), "clientConfig", "caBundle"); ca != "" {
					w.(map[string]any)["clientConfig"] = "trusts a certificate"
				}
			}
			if webhooks != nil {
				o.Object["webhooks"] = webhooks
			}
		},
	})
}

// distrust removes the certificate of the authority that the server trusts when it calls the webhook.
func distrust(ctx context.Context, objects dynamic.Interface) error {
	resource := objects.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"})
	_, err := resource.Patch(ctx, "hooks", types.JSONPatchType, []byte(`[{"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}]`), metav1.PatchOptions{})
	return err
}

// hooks is a webhook that is never called, and the secret for its certificate.
const hooks = `
apiVersion: v1
kind: Secret
metadata: {name: certs, namespace: default}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: hooks.example.com
  admissionReviewVersions: ["v1"]
  sideEffects: None
  clientConfig: {service: {name: hooks, namespace: default}}
  rules:
  - {apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nothing"]}
`
