package manifest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// Webhooks returns the text of the configurations of webhooks: those that mutate, then those that validate, each sorted by
// name. The text is empty without webhooks.
func Webhooks(m *model.Manifests) ([]byte, error) {
	var text []byte
	for _, c := range []struct {
		mutating   bool
		kind, name string
	}{
		{true, "MutatingWebhookConfiguration", cmp.Or(m.MutatingName, "mutating-webhook-configuration")},
		{false, "ValidatingWebhookConfiguration", cmp.Or(m.ValidatingName, "validating-webhook-configuration")},
	} {
		hooks := slices.DeleteFunc(slices.Clone(m.Webhooks), func(w model.Webhook) bool { return w.Mutating != c.mutating })
		if len(hooks) == 0 {
			continue
		}
		slices.SortStableFunc(hooks, func(a, b model.Webhook) int { return strings.Compare(a.Name, b.Name) })
		var objects []any
		for _, w := range hooks {
			objects = append(objects, w.Object)
		}
		var err error
		text, err = marshal(append(text, "---\n"...), object{
			{"apiVersion", "admissionregistration.k8s.io/v1"}, {"kind", c.kind},
			{"metadata", object{{"name", c.name}}}, {"webhooks", objects},
		})
		if err != nil {
			return nil, err
		}
	}
	return text, nil
}
