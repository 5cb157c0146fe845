package manifest

import (
	"testing"

	"github.com/listwatch/listwatch/generators/model"
)

func TestWebhooks(t *testing.T) {
	hook := func(name string, mutating bool) model.Webhook {
		return model.Webhook{Name: name, Mutating: mutating, Object: map[string]any{"name": name, "timeoutSeconds": int64(3)}}
	}
	const mutating = `---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: mine
webhooks:
- name: a
  timeoutSeconds: 3
- name: b
  timeoutSeconds: 3
`
	const validating = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: validating-webhook-configuration
webhooks:
- name: c
  timeoutSeconds: 3
`
	for _, c := range []struct {
		name string
		give []model.Webhook
		want string
	}{
		{"both", []model.Webhook{hook("b", true), hook("c", false), hook("a", true)}, mutating + validating},
		{"one", []model.Webhook{hook("c", false)}, validating},
		{"none", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Webhooks(&model.Manifests{Webhooks: c.give, MutatingName: "mine"})
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			if c.want != "" && !Printed(got) {
				t.Error("it does not look printed")
			}
		})
	}
}
