package controllerruntime_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
)

// wantDenied checks that an error is the server's, with a text.
func wantDenied(t *testing.T, what string, err error, text string) {
	t.Helper()
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s returns %v, want %s", what, err, text)
	}
}

// A user without permission learns that at once, and the informer works as soon as it is given.
func TestDenied(t *testing.T) {
	srv, _, admin := fleet(t, "bay/a")
	config := clientgo.ToConfig(srv.ConfigFor("sailor"))
	failures := make(chan error, 100)
	mapper := admin.RESTMapper()
	c := start(t, config, cache.Options{Mapper: mapper, DefaultWatchErrorHandler: func(_ context.Context, _ *theircache.Reflector, err error) {
		select {
		case failures <- err:
		default:
		}
	}})
	const denied = `failed to list v1, Kind=ConfigMap: configmaps is forbidden: ` +
		`User "sailor" cannot list resource "configmaps" in API group "" at the cluster scope`
	for _, wait := range []cache.InformerGetOption{cache.BlockUntilSynced(true), func(*cache.InformerGetOptions) {}} {
		_, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}, wait)
		wantDenied(t, "GetInformer", err, denied)
	}
	wantDenied(t, "Get", c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}), denied)
	wantDenied(t, "List", c.List(t.Context(), &corev1.ConfigMapList{}), denied)
	if err := <-failures; !apierrors.IsForbidden(err) {
		t.Errorf("the handler of errors gets %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := controllerruntime.WaitForSync(short, c); !apierrors.IsTimeout(err) || !strings.Contains(err.Error(), denied) {
		t.Errorf("WaitForSync returns %v, want a timeout with its cause", err)
	}
	if c.WaitForCacheSync(short) {
		t.Error("the cache has synced")
	}
	create(t, admin,
		&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list", "watch"},
		}}},
		&rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "reader"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "reader"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: "sailor"}},
		})
	if err := controllerruntime.WaitForSync(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
		t.Error(err)
	}
}

// A user who loses permission goes on reading what the cache has.
func TestDeniedLater(t *testing.T) {
	srv, _, admin := fleet(t, "bay/a")
	allow(t, admin, "bay", "list", "watch")
	denied := make(chan struct{})
	note := sync.OnceFunc(func() { close(denied) })
	c := start(t, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
		Mapper: admin.RESTMapper(), DefaultNamespaces: map[string]cache.Config{"bay": {}},
		DefaultWatchErrorHandler: func(_ context.Context, _ *theircache.Reflector, err error) {
			if apierrors.IsForbidden(err) {
				note()
			}
		},
	})
	if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	if err := admin.DeleteAllOf(t.Context(), &rbacv1.RoleBinding{}, client.InNamespace("bay")); err != nil {
		t.Fatal(err)
	}
	srv.Faults().DropWatches()
	<-denied
	for range 100 {
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
			t.Fatalf("Get: %v", err)
		}
		if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
			t.Fatalf("GetInformer: %v", err)
		}
	}
	if err := controllerruntime.WaitForSync(t.Context(), c); err != nil {
		t.Error(err)
	}
}

// The error names the namespace that is denied, in each form of the kind.
func TestDeniedNamespace(t *testing.T) {
	srv, _, admin := fleet(t, "bay/a", "sea/a")
	allow(t, admin, "bay", "list", "watch")
	c := start(t, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
		Mapper:            admin.RESTMapper(),
		DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
	})
	for _, form := range []string{"", "unstructured", "metadata"} {
		_, err := c.GetInformer(t.Context(), inForm(form))
		wantDenied(t, "GetInformer of "+form, err, `User "sailor" cannot list resource "configmaps" in API group "" in the namespace "sea"`)
		if strings.Contains(err.Error(), `namespace "bay"`) {
			t.Errorf("the namespace that is allowed is in %v", err)
		}
	}
}

// allow allows a user some verbs of config maps in a namespace.
func allow(t *testing.T, admin client.Client, namespace string, verbs ...string) {
	t.Helper()
	create(t, admin,
		&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "reader"}, Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: verbs,
		}}},
		&rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "reader"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: "sailor"}},
		})
}

// WaitForCacheSync, which returns no error, logs why not.
func TestWaitForCacheSyncLogsWhyNot(t *testing.T) {
	srv, _, admin := fleet(t, "bay/a")
	lines := make(chan string, 1000)
	defer controllerruntime.ReplaceLogger(funcr.New(func(_, args string) {
		select {
		case lines <- args:
		default:
		}
	}, funcr.Options{}))()
	c := start(t, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{Mapper: admin.RESTMapper()})
	if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); !apierrors.IsForbidden(err) {
		t.Fatalf("error %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), lag)
	defer cancel()
	if c.WaitForCacheSync(short) {
		t.Error("the cache has synced")
	}
	for {
		select {
		case line := <-lines:
			if strings.Contains(line, "Caches have not synced") && strings.Contains(line, `cannot list resource \"configmaps\"`) {
				return
			}
		default:
			t.Fatal("nothing is logged")
		}
	}
}
