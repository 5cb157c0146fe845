package embedded_test

import (
	"net/http"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// BenchmarkWrites compares creations by the admin, for whom no roles are read, with those by a user with a role. The
// server reads roles again only after they have changed.
func BenchmarkWrites(b *testing.B) {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "writer"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"create"}},
	}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "writer"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, Name: "jane"}},
	}
	server := embedded.Start(b, embedded.WithObjects(role, binding))
	for name, config := range map[string]*rest.Config{"admin": server.Config(), "user": server.ConfigFor("jane")} {
		b.Run(name, func(b *testing.B) {
			client, err := rest.HTTPClientFor(config)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				body := strings.NewReader(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a-"}}`)
				resp, err := client.Post(config.Host+"/api/v1/namespaces/default/configmaps", "application/json", body)
				if err != nil {
					b.Fatal(err)
				}
				if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusCreated {
					b.Fatal(resp.Status, err)
				}
			}
		})
	}
}
