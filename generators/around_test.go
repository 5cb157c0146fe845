package generators

import "testing"

// TestDecide lists what is left out beside an earlier clientset.
func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name   string
		opts   AllOptions
		around around
		want   string // a letter each for definitions, roles and webhooks
	}{
		{name: "new project", want: "drw"},
		{name: "clientset alone", around: around{clientset: true}, want: ""},
		{name: "clientset and generated definitions", around: around{clientset: true, definitions: true}, want: "d"},
		{name: "clientset in a project with manifests", around: around{clientset: true, config: true}, want: "rw"},
		{name: "directory of definitions", opts: AllOptions{CRDDir: "crds"}, around: around{clientset: true}, want: "d"},
		{name: "directory of roles", opts: AllOptions{RBACDir: "roles"}, around: around{clientset: true}, want: "r"},
		{name: "directory of webhooks", opts: AllOptions{WebhookDir: "hooks"}, around: around{clientset: true}, want: "w"},
		{name: "skipped", opts: AllOptions{Skip: []string{"crd", "rbac"}}, around: around{clientset: true, definitions: true, config: true}, want: "w"},
		{name: "skipped in a new project", opts: AllOptions{Skip: []string{"webhook"}}, want: "dr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			decided := c.opts.run().decide(c.around)
			got := ""
			for _, part := range []struct {
				on     bool
				letter string
			}{{decided.CRDs, "d"}, {decided.Permissions, "r"}, {decided.Webhooks, "w"}} {
				if part.on {
					got += part.letter
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
