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
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest/embedded"
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

// A user who loses permission, or whose credentials expire, goes on reading what the cache has.
func TestDeniedLater(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		denied func(error) bool
		deny   func(t *testing.T, srv *embedded.Server, admin client.Client)
	}{
		{"forbidden", apierrors.IsForbidden, func(t *testing.T, _ *embedded.Server, admin client.Client) {
			if err := admin.DeleteAllOf(t.Context(), &rbacv1.RoleBinding{}, client.InNamespace("bay")); err != nil {
				t.Fatal(err)
			}
		}},
		{"unauthorized", apierrors.IsUnauthorized, func(_ *testing.T, srv *embedded.Server, _ client.Client) {
			srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Error: apierrors.NewUnauthorized("expired")})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv, _, admin := fleet(t, "bay/a")
			allow(t, admin, "bay", "list", "watch")
			denied := make(chan struct{})
			note := sync.OnceFunc(func() { close(denied) })
			c := start(t, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
				Mapper: admin.RESTMapper(), DefaultNamespaces: map[string]cache.Config{"bay": {}},
				DefaultWatchErrorHandler: func(_ context.Context, _ *theircache.Reflector, err error) {
					if test.denied(err) {
						note()
					}
				},
			})
			if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
				t.Fatal(err)
			}
			test.deny(t, srv, admin)
			srv.Faults().DropWatches()
			<-denied
			for range 100 {
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
					t.Fatalf("Get: %v", err)
				}
				if err := c.List(t.Context(), &corev1.ConfigMapList{}); err != nil {
					t.Fatalf("List: %v", err)
				}
				if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
					t.Fatalf("GetInformer: %v", err)
				}
			}
			if err := controllerruntime.WaitForSync(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
}

// A read waits for the namespace that it reads, as in controller-runtime's cache: the other one is denied, and allowed later.
func TestDeniedNamespaceOfOthers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		newCache cache.NewCacheFunc
		form     string
	}{
		{"types", controllerruntime.NewCache, ""},
		{"unstructured", controllerruntime.NewCache, "unstructured"},
		{"metadata", controllerruntime.NewCache, "metadata"},
		{"controller-runtime's types", cache.New, ""},
		{"controller-runtime's unstructured", cache.New, "unstructured"}, // its watches of metadata leak goroutines
	} {
		t.Run(test.name, func(t *testing.T) {
			srv, _, admin := fleet(t, "bay/a", "sea/a")
			allow(t, admin, "bay", "list", "watch")
			c, err := test.newCache(clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
				Mapper: admin.RESTMapper(), DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
			})
			if err != nil {
				t.Fatal(err)
			}
			run(t, c)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			list := listInForm(test.form)
			for range 20 {
				if err := c.Get(ctx, client.ObjectKey{Namespace: "bay", Name: "a"}, inForm(test.form)); err != nil {
					t.Fatalf("Get: %v", err)
				}
				if err := c.List(ctx, list, client.InNamespace("bay")); err != nil || meta.LenList(list) != 1 {
					t.Fatalf("List: %d items, error %v", meta.LenList(list), err)
				}
			}
			if err := c.Get(ctx, client.ObjectKey{Namespace: "bay", Name: "b"}, inForm(test.form)); !apierrors.IsNotFound(err) {
				t.Errorf("Get of an object that is missing: %v", err)
			}
			if err := c.Get(ctx, client.ObjectKey{Namespace: "lake", Name: "a"}, inForm(test.form)); err == nil || !strings.Contains(err.Error(), "unknown namespace") {
				t.Errorf("Get of a namespace that is not cached: %v", err)
			}
			short, cancel := context.WithTimeout(t.Context(), 2*lag)
			defer cancel()
			if err := c.Get(short, client.ObjectKey{Namespace: "sea", Name: "a"}, inForm(test.form)); err == nil || apierrors.IsNotFound(err) {
				t.Errorf("Get of the namespace that is denied: %v", err)
			}
			if err := c.List(short, list); err == nil {
				t.Error("List of all namespaces succeeds")
			}
			if _, err := c.GetInformer(short, inForm(test.form)); err == nil {
				t.Error("GetInformer succeeds")
			}
			allow(t, admin, "sea", "list", "watch")
			if !c.WaitForCacheSync(ctx) {
				t.Fatal("the cache has not synced")
			}
			if err := c.List(ctx, list); err != nil || meta.LenList(list) != 2 {
				t.Errorf("List of all namespaces: %d items, error %v", meta.LenList(list), err)
			}
		})
	}
}

// Reads of a namespace that is denied return the server's error at once, also if another one was denied before.
func TestDeniedOneAfterAnother(t *testing.T) {
	srv, _, admin := fleet(t, "bay/a", "sea/a")
	slow := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Namespace: "sea"}, Delay: 10 * lag})
	defer slow.Remove()
	c := start(t, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
		Mapper: admin.RESTMapper(), DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
	})
	for _, namespace := range []string{"bay", "sea"} {
		err := c.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "a"}, &corev1.ConfigMap{})
		wantDenied(t, "Get", err, `in the namespace "`+namespace+`"`)
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
