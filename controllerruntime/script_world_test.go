package controllerruntime_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
)

// world is the server of a script, and what its user may read.
type world struct {
	srv     *embedded.Server
	admin   client.Client
	config  *rest.Config    // of the caches
	client  *http.Client    // the same
	mapper  meta.RESTMapper // of the caches
	user    string
	served  map[string]bool                // by resource
	granted map[string]map[string]bool     // by resource and namespace, "" for all
	slow    map[string]*embedded.Injection // by resource and namespace
	homes   []string                       // namespaces that exist
}

func newWorld(ctx context.Context, d draw) (*world, error) {
	srv, err := embedded.New()
	if err != nil {
		return nil, err
	}
	w := &world{srv: srv, served: map[string]bool{}, granted: map[string]map[string]bool{}, slow: map[string]*embedded.Injection{}}
	admin := clientgo.ToConfig(srv.Config())
	if w.admin, err = client.New(admin, client.Options{Scheme: scriptScheme()}); err != nil {
		return w, err
	}
	own, err := rest.HTTPClientFor(admin)
	if err != nil {
		return w, err
	}
	if w.mapper, err = apiutil.NewDynamicRESTMapper(admin, own); err != nil {
		return w, err
	}
	w.user = pick1(d, []string{"captain", "sailor"})
	w.config = clientgo.ToConfig(srv.ConfigFor("sailor"))
	if w.user == "captain" {
		w.config = clientgo.ToConfig(srv.ConfigFor("captain", "system:masters"))
	}
	w.config.QPS = -1
	if w.client, err = rest.HTTPClientFor(w.config); err != nil {
		return w, err
	}
	for _, namespace := range homes[:2] {
		if err := w.addHome(ctx, namespace); err != nil {
			return w, err
		}
	}
	for _, k := range kinds {
		w.granted[k.resource] = map[string]bool{}
		if !k.custom {
			w.served[k.resource] = true
		} else if d.oneIn(2) {
			if err := w.serve(ctx, k); err != nil {
				return w, err
			}
		}
		role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: k.resource}, Rules: []rbacv1.PolicyRule{{
			APIGroups: []string{k.Group}, Resources: []string{k.resource}, Verbs: []string{"get", "list", "watch"},
		}}}
		if err := w.admin.Create(ctx, role); err != nil {
			return w, err
		}
		for _, namespace := range append([]string{""}, w.homes...) {
			if d.oneIn(2) && (k.namespaced || namespace == "") {
				if err := w.grant(ctx, k, namespace); err != nil {
					return w, err
				}
			}
		}
	}
	return w, nil
}

func (w *world) addHome(ctx context.Context, namespace string) error {
	w.homes = append(w.homes, namespace)
	return w.admin.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
}

// serve creates the CustomResourceDefinition of a kind.
func (w *world) serve(ctx context.Context, k *kind) error {
	w.served[k.resource] = true
	return w.srv.Apply(ctx, k.definition())
}

// withdraw deletes the CustomResourceDefinition of a kind, of which there are no objects.
func (w *world) withdraw(ctx context.Context, k *kind) error {
	w.served[k.resource] = false
	crd := &unstructured.Unstructured{}
	crd.SetAPIVersion("apiextensions.k8s.io/v1")
	crd.SetKind("CustomResourceDefinition")
	crd.SetName(k.definition().Name)
	if err := w.admin.Delete(ctx, crd); err != nil {
		return err
	}
	for {
		err := w.admin.List(ctx, k.objects("unstructured"))
		if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
			w.srv.Faults().DropWatches(embedded.Match{Resource: k.resource})
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s is still served: %w", k, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func bindingOf(k *kind, namespace string) client.Object {
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: k.resource}
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: "sailor"}}
	if namespace == "" {
		return &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: k.resource}, RoleRef: ref, Subjects: subjects}
	}
	return &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: k.resource}, RoleRef: ref, Subjects: subjects}
}

// grant allows the sailor to read a kind in a namespace, or in all.
func (w *world) grant(ctx context.Context, k *kind, namespace string) error {
	w.granted[k.resource][namespace] = true
	return w.admin.Create(ctx, bindingOf(k, namespace))
}

// revoke takes permissions back, and ends the watches of the kind.
func (w *world) revoke(ctx context.Context, k *kind, namespace string) error {
	delete(w.granted[k.resource], namespace)
	if err := w.admin.Delete(ctx, bindingOf(k, namespace)); err != nil {
		return err
	}
	w.srv.Faults().DropWatches(embedded.Match{Resource: k.resource})
	return nil
}

// readable reports whether requests for a kind succeed in a namespace, or in all.
func (w *world) readable(k *kind, namespace string) bool {
	granted := w.granted[k.resource]
	return w.served[k.resource] && w.slow[k.resource+" "+namespace] == nil &&
		(w.user == "captain" || granted[""] || namespace != "" && granted[namespace])
}

// slowDown makes requests for a kind in a namespace wait.
func (w *world) slowDown(k *kind, namespace string) {
	match := embedded.Match{Resource: k.resource, Namespace: namespace, User: w.user}
	w.slow[k.resource+" "+namespace] = w.srv.Faults().Inject(embedded.Rule{Match: match, Delay: time.Hour})
	w.srv.Faults().DropWatches(match)
}

// speedUp ends what slowDown has begun.
func (w *world) speedUp(ctx context.Context, key string) error {
	w.slow[key].Remove()
	delete(w.slow, key)
	return w.cut(ctx)
}

// cut cuts all connections.
func (w *world) cut(ctx context.Context) error {
	w.srv.Faults().CutConnections()
	return w.reconnect(ctx)
}

// restart restarts the server.
func (w *world) restart(ctx context.Context) error {
	if err := w.srv.Restart(); err != nil {
		return err
	}
	return w.reconnect(ctx)
}

// reconnect waits until the connection of the admin and the mapper works again.
func (w *world) reconnect(ctx context.Context) error {
	for {
		err := w.admin.Get(ctx, client.ObjectKey{Name: homes[0]}, &corev1.Namespace{})
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// write changes, creates or deletes an object.
func (w *world) write(ctx context.Context, d draw, k *kind) (string, error) {
	obj := k.object("unstructured").(*unstructured.Unstructured)
	obj.SetName(pick1(d, []string{"a", "b", "c", "d", "e"}))
	if k.namespaced {
		obj.SetNamespace(pick1(d, w.homes))
	}
	key := client.ObjectKeyFromObject(obj)
	err := w.admin.Get(ctx, key, obj)
	switch {
	case apierrors.IsNotFound(err):
		k.fill(obj, true, d)
		return fmt.Sprintf("create %s %s", k, key), w.admin.Create(ctx, obj)
	case err != nil:
		return "", err
	case d.oneIn(4):
		return fmt.Sprintf("delete %s %s", k, key), w.admin.Delete(ctx, obj, client.GracePeriodSeconds(0))
	default:
		k.fill(obj, false, d)
		return fmt.Sprintf("update %s %s", k, key), w.admin.Update(ctx, obj)
	}
}

// clear deletes all objects of a kind.
func (w *world) clear(ctx context.Context, k *kind) error {
	list := k.objects("unstructured").(*unstructured.UnstructuredList)
	if err := w.admin.List(ctx, list); err != nil {
		return err
	}
	for i := range list.Items {
		if err := w.admin.Delete(ctx, &list.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// content returns the resource versions of what the server selects, by key.
func (w *world) content(ctx context.Context, k *kind, namespace string, s selectors) (map[string]string, error) {
	var raw metav1.ListOptions
	if s.labels != nil {
		raw.LabelSelector = s.labels.String()
	}
	if s.fields != nil {
		raw.FieldSelector = s.fields.String()
	}
	list := k.objects("metadata").(*metav1.PartialObjectMetadataList)
	if err := w.admin.List(ctx, list, client.InNamespace(namespace), &client.ListOptions{Raw: &raw}); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i := range list.Items {
		out[keyOf(&list.Items[i])] = list.Items[i].ResourceVersion
	}
	return out, nil
}

func keyOf(obj client.Object) string {
	return strings.TrimPrefix(obj.GetNamespace()+"/"+obj.GetName(), "/")
}

// versions describes the result of content.
func versions(content map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(content)) {
		out = append(out, key+"@"+content[key])
	}
	return "[" + strings.Join(out, " ") + "]"
}
