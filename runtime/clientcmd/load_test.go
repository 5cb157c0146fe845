package clientcmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

const planted = "s3cr3t"

// TestLoadErrors: what is wrong is named, and nothing that may be a credential is quoted.
func TestLoadErrors(t *testing.T) {
	for _, test := range []struct{ name, data, want string }{
		{"a token", planted, "invalid kubeconfig: got string, want object"},
		{"a list", "[" + planted + "]", "got array, want object"},
		{"a tab", "users:\n\t- name: " + planted, "invalid YAML in line 2: found character that cannot start any token"},
		{"an alias", "users:\n- name: a\n  user: {password: *" + planted + "}", "invalid YAML"},
		{"a colon", "users:\n- name: a\n  user: {}\n token: " + planted + ": x", "invalid YAML in line"},
		{"a number", "users:\n- name: a\n  user: {password: 12345}", "field users.user.password is number, want string"},
		{"a list of users", "users: {a: " + planted + "}", "field users is object, want array"},
		{"data", "users:\n- name: a\n  user: {client-key-data: " + planted + "!}", `client-key-data of user "a" is not valid base64`},
		{"certificate", "users:\n- name: a\n  user: {client-certificate-data: " + planted + "!}", `client-certificate-data of user "a" is not valid base64`},
		{"authority", "clusters:\n- name: c\n  cluster: {certificate-authority-data: " + planted + "!}", `certificate-authority-data of cluster "c" is not valid base64`},
		{"another kind", "kind: Pod\napiVersion: v1", `not a kubeconfig: kind is "Pod" and apiVersion is "v1"`},
		{"another version", "kind: Config\napiVersion: v9", `not a kubeconfig: kind is "Config" and apiVersion is "v9"`},
		{"two users", "users: [{name: a, user: {token: " + planted + "}}, {name: a, user: {token: " + planted + "}}]", `duplicate name: more than one user is named "a"`},
		{"two extensions", "extensions: [{name: a, extension: {a: " + planted + "}}, {name: a, extension: {}}]", `duplicate name: more than one extension of the config is named "a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load([]byte(test.data))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			secrettest.Check(t, err, planted)
			file := filepath.Join(t.TempDir(), "config")
			if err = os.WriteFile(file, []byte(test.data), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = BuildConfigFromFlags("", file)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Count(err.Error(), file) != 1 {
				t.Fatalf("got %v, want %s and the file's name, once", err, test.want)
			}
			secrettest.Check(t, err, planted)
		})
	}
}
