package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned"
)

// user is the service account in config/rbac.yaml.
const user = "system:serviceaccount:tenants:tenants"

// newCluster returns a server with a database in each of three namespaces. The service account may read two of them.
func newCluster(t *testing.T) *apitest.Server {
	t.Helper()
	server := apitest.Start(t, apitest.WithCRDs("../shop/config/crd/bases"),
		apitest.WithObjects(newNamespace("blue"), newNamespace("green"), newNamespace("red")), apitest.WithManifests("config/rbac.yaml"))
	for _, namespace := range []string{"blue", "green", "red"} {
		create(t, server, namespace, "orders")
	}
	return server
}

func newNamespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func create(t *testing.T, server *apitest.Server, namespace, name string) {
	t.Helper()
	databases := versioned.NewForConfigOrDie(server.Config()).StorageV1().Databases(namespace)
	if _, err := databases.Create(t.Context(), &storagev1.Database{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestNamespaces runs the program with its own permissions: it prints what is in its namespaces, and nothing of others.
func TestNamespaces(t *testing.T) {
	server := newCluster(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	printed, out := io.Pipe()
	go func() {
		err := run(ctx, server.ConfigFor(user), []string{"blue", "green"}, out)
		ended <- errors.Join(err, out.Close())
	}()
	lines := bufio.NewScanner(printed)
	var got []string
	for len(got) < 4 && lines.Scan() {
		got = append(got, lines.Text())
	}
	slices.Sort(got) // handlers print while the program reads the cache
	if want := []string{"blue/orders", "blue: 1 databases", "green/orders", "green: 1 databases"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	create(t, server, "red", "hidden")
	create(t, server, "green", "parts")
	if lines.Scan(); lines.Text() != "green/parts" {
		t.Errorf("got %q, want green/parts", lines.Text())
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestForbidden runs the program with a namespace in which nothing is bound, and with none, which is all of them. The error
// has the cause.
func TestForbidden(t *testing.T) {
	server := newCluster(t)
	for _, c := range []struct {
		name, want string
		namespaces []string
	}{
		{"a namespace", `cannot list resource "databases" in API group "storage.example.com" in the namespace "red"`, []string{"blue", "red"}},
		{"all namespaces", `cannot list resource "databases" in API group "storage.example.com" at the cluster scope`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := run(t.Context(), server.ConfigFor(user), c.namespaces, io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %s", err, c.want)
			}
		})
	}
}
