package controllerruntime_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingv1ac "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

var _ client.NewClientFunc = controllerruntime.NewClient

// lag is how long objects take from the server to the cache in these tests: longer than a read that does not wait.
const lag = 20 * time.Millisecond

// lagging are options of a cache that lags behind, with the namespaces bay and sea.
func lagging() cache.Options {
	return cache.Options{
		DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
		DefaultTransform: func(obj any) (any, error) {
			time.Sleep(lag)
			return obj, nil
		},
	}
}

// writer returns a client that sees its own writes in a cache.
func writer(t *testing.T, config *rest.Config, c client.Reader) client.Client {
	t.Helper()
	out, err := controllerruntime.NewClient(config, client.Options{Cache: &client.CacheOptions{Reader: c, Unstructured: true}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inForm returns an empty object of the kind ConfigMap in a form.
func inForm(form string) client.Object {
	return emptyObject(form, corev1.SchemeGroupVersion.WithKind("ConfigMap"), &corev1.ConfigMap{})
}

// emptyObject returns an empty object of a kind in a form, with the type of example unless the form is one without a type of its own.
func emptyObject(form string, kind schema.GroupVersionKind, example client.Object) client.Object {
	var out client.Object
	switch form {
	case "unstructured":
		out = &unstructured.Unstructured{}
	case "metadata":
		out = &metav1.PartialObjectMetadata{}
	default:
		return example.DeepCopyObject().(client.Object)
	}
	out.GetObjectKind().SetGroupVersionKind(kind)
	return out
}

// listInForm returns an empty list of the kind ConfigMap in a form.
func listInForm(form string) client.ObjectList {
	var out client.ObjectList
	switch form {
	case "unstructured":
		out = &unstructured.UnstructuredList{}
	case "metadata":
		out = &metav1.PartialObjectMetadataList{}
	default:
		return &corev1.ConfigMapList{}
	}
	out.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	return out
}

// A read sees each kind of write, in each form, of one namespace or another.
func TestReadYourWrites(t *testing.T) {
	_, config, direct := fleet(t, "bay/a", "sea/a")
	c := start(t, config, lagging())
	w := writer(t, config, c)
	for _, form := range []string{"", "unstructured", "metadata"} { // with an informer each
		if _, err := c.GetInformer(t.Context(), inForm(form)); err != nil {
			t.Fatal(err)
		}
	}
	label := func(key, value string) client.Patch {
		return client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"labels":{"`+key+`":"`+value+`"}}}`))
	}
	for _, namespace := range []string{"bay", "sea"} {
		for _, form := range []string{"", "unstructured", "metadata"} {
			t.Run(namespace+" "+form, func(t *testing.T) {
				name := client.ObjectKey{Namespace: namespace, Name: "x" + form}
				check := func(what string, rv string) {
					t.Helper()
					for _, reads := range []string{"", "unstructured", "metadata"} {
						got := inForm(reads)
						err := w.Get(t.Context(), name, got)
						if rv == "" && !apierrors.IsNotFound(err) || rv != "" && (err != nil || got.GetResourceVersion() != rv) {
							t.Errorf("%s, read as %q: got version %q, want %q: error %v", what, reads, got.GetResourceVersion(), rv, err)
						}
					}
				}
				obj := inForm(form)
				obj.SetNamespace(namespace)
				obj.SetName(name.Name)
				if form == "metadata" { // which cannot be created
					if err := direct.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name.Name}}); err != nil {
						t.Fatal(err)
					}
				} else {
					if err := w.Create(t.Context(), obj); err != nil {
						t.Fatal(err)
					}
					check("created", obj.GetResourceVersion())
					obj.SetLabels(map[string]string{"a": "b"})
					if err := w.Update(t.Context(), obj); err != nil {
						t.Fatal(err)
					}
					check("updated", obj.GetResourceVersion())
				}
				if err := w.Patch(t.Context(), obj, label("a", "c")); err != nil {
					t.Fatal(err)
				}
				check("patched", obj.GetResourceVersion())
				applied := corev1ac.ConfigMap(name.Name, namespace).WithLabels(map[string]string{"d": form})
				if err := w.Apply(t.Context(), applied, client.FieldOwner("test")); err != nil {
					t.Fatal(err)
				}
				check("applied", *applied.ResourceVersion)
				untyped := &unstructured.Unstructured{Object: map[string]any{
					"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": namespace, "name": name.Name, "labels": map[string]any{"e": form + "x"}},
				}}
				if err := w.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(untyped), client.FieldOwner("other")); err != nil {
					t.Fatal(err)
				}
				check("applied untyped", untyped.GetResourceVersion())
				if err := w.Delete(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				check("deleted", "")
			})
		}
	}
}

// A list sees the writes to its namespace, and deletions of many.
func TestListYourWrites(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "sea/a")
	c := start(t, config, lagging())
	w := writer(t, config, c)
	list := func(opts ...client.ListOption) []string {
		t.Helper()
		var out corev1.ConfigMapList
		if err := w.List(t.Context(), &out, opts...); err != nil {
			t.Fatal(err)
		}
		return keys(&out)
	}
	equal(t, "before", list(), []string{"bay/a", "sea/a"})
	create(t, w, configMap("bay/b"), configMap("sea/b"))
	equal(t, "created", list(), []string{"bay/a", "bay/b", "sea/a", "sea/b"})
	create(t, w, configMap("bay/c"))
	equal(t, "created in bay", list(client.InNamespace("bay")), []string{"bay/a", "bay/b", "bay/c"})
	if err := w.DeleteAllOf(t.Context(), &corev1.ConfigMap{}, client.InNamespace("bay"), client.MatchingLabels{"name": "a"}); err != nil {
		t.Fatal(err)
	}
	equal(t, "some deleted", list(), []string{"bay/b", "bay/c", "sea/a", "sea/b"})
	if err := w.DeleteAllOf(t.Context(), &corev1.ConfigMap{}, client.InNamespace("sea")); err != nil {
		t.Fatal(err)
	}
	equal(t, "all deleted", list(client.InNamespace("sea")), []string(nil))

	// by name, of an object that the program knows nothing of
	if err := w.Delete(t.Context(), configMap("bay/b")); err != nil {
		t.Fatal(err)
	}
	equal(t, "deleted by name", list(), []string{"bay/c"})

	// and again under the same name
	for range 3 {
		again := configMap("bay/b")
		create(t, w, again)
		equal(t, "created again", list(), []string{"bay/b", "bay/c"})
		if err := w.Delete(t.Context(), again); err != nil {
			t.Fatal(err)
		}
		equal(t, "deleted again", list(), []string{"bay/c"})
	}
}

// A deleted object with a finalizer is read with its deletion timestamp.
func TestReadYourDeletionWithFinalizer(t *testing.T) {
	_, config, _ := fleet(t)
	c := start(t, config, lagging())
	w := writer(t, config, c)
	obj := configMap("bay/a")
	obj.Finalizers = []string{"example.com/hold"}
	create(t, w, obj)
	name := client.ObjectKeyFromObject(obj)
	if err := w.Delete(t.Context(), configMap("bay/a")); err != nil {
		t.Fatal(err)
	}
	got := &corev1.ConfigMap{}
	if err := w.Get(t.Context(), name, got); err != nil || got.DeletionTimestamp == nil {
		t.Fatalf("deletion timestamp %v, error %v", got.DeletionTimestamp, err)
	}
	got.Finalizers = nil
	if err := w.Update(t.Context(), got); err != nil { // which deletes it
		t.Fatal(err)
	}
	if err := w.Get(t.Context(), name, got); !apierrors.IsNotFound(err) {
		t.Errorf("after the last finalizer was removed: error %v", err)
	}

	// Updates of objects that are deleted later are seen, too.
	update := func(obj client.Object) {
		t.Helper()
		if err := w.Delete(t.Context(), obj.DeepCopyObject().(client.Object)); err != nil {
			t.Fatal(err)
		}
		if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil || obj.GetDeletionTimestamp() == nil {
			t.Fatalf("deletion timestamp %v, error %v", obj.GetDeletionTimestamp(), err)
		}
		obj.SetLabels(map[string]string{"updated": "yes"})
		if err := w.Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil || obj.GetLabels()["updated"] == "" {
			t.Errorf("%T with a deletion timestamp has labels %v, error %v", obj, obj.GetLabels(), err)
		}
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: "a"},
		Spec:       corev1.PodSpec{NodeName: "a", Containers: []corev1.Container{{Name: "a", Image: "example.com/a"}}},
	}
	create(t, w, pod)
	update(pod)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "lake"}, Spec: corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}}}
	create(t, w, namespace)
	update(namespace)
}

// Built-in kinds are selected by booleans and numbers that their JSON omits.
func TestReadYourWritesByOmittedFields(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	containers := []corev1.Container{{Name: "a", Image: "example.com/a"}}
	meta := metav1.ObjectMeta{Namespace: "bay", GenerateName: "x"}
	template := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "a"}},
		Spec:       corev1.PodSpec{Containers: containers},
	}
	once := template
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	for _, test := range []struct {
		field, value string
		object       client.Object
	}{
		{"spec.unschedulable", "false", &corev1.Node{ObjectMeta: metav1.ObjectMeta{GenerateName: "x"}}},
		{"spec.hostNetwork", "false", &corev1.Pod{ObjectMeta: meta, Spec: template.Spec}},
		{"status.replicas", "0", &corev1.ReplicationController{
			ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Selector: template.Labels, Template: &template},
		}},
		{"status.successful", "0", &batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Template: once}}},
	} {
		t.Run(test.field, func(t *testing.T) {
			opts := lagging()
			opts.ByObject = map[client.Object]cache.ByObject{test.object: {Field: fields.OneTermEqualSelector(test.field, test.value)}}
			c := start(t, config, opts)
			w := writer(t, config, c)
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(test.object)
			if err != nil {
				t.Fatal(err)
			}
			gvk, err := w.GroupVersionKindFor(test.object)
			if err != nil {
				t.Fatal(err)
			}
			untyped := &unstructured.Unstructured{Object: content}
			untyped.SetGroupVersionKind(gvk)
			for _, obj := range []client.Object{test.object, untyped} {
				if _, err := c.GetInformer(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				if err := w.Create(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil {
					t.Errorf("as %T: %v", obj, err)
				}
			}
		})
	}
}

// Writes of subresources are seen, also if the response is another object.
func TestReadYourSubresources(t *testing.T) {
	_, config, _ := fleet(t)
	c := start(t, config, lagging())
	w := writer(t, config, c)
	pods := map[string]string{"app": "a"}
	obj := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "sea", Name: "a"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: pods},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: pods},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "example.com/a"}}},
			},
		},
	}
	name := client.ObjectKeyFromObject(obj)
	create(t, w, obj)
	read := func() *appsv1.Deployment {
		t.Helper()
		got := &appsv1.Deployment{}
		if err := w.Get(t.Context(), name, got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	equal(t, "created", read().ResourceVersion, obj.ResourceVersion)
	obj.Status.ObservedGeneration = 5
	if err := w.Status().Update(t.Context(), obj); err != nil {
		t.Fatal(err)
	}
	equal(t, "status updated", read().Status.ObservedGeneration, 5)
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"status":{"observedGeneration":6}}`))
	if err := w.Status().Patch(t.Context(), obj, patch); err != nil {
		t.Fatal(err)
	}
	equal(t, "status patched", read().Status.ObservedGeneration, 6)
	status := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": "sea", "name": "a"},
		"status": map[string]any{"observedGeneration": int64(7)},
	}}
	if err := w.Status().Apply(t.Context(), client.ApplyConfigurationFromUnstructured(status), client.FieldOwner("test"), client.ForceOwnership); err != nil {
		t.Fatal(err)
	}
	equal(t, "status applied", read().Status.ObservedGeneration, 7)
	scale := &autoscalingv1.Scale{}
	if err := w.SubResource("scale").Get(t.Context(), obj, scale); err != nil {
		t.Fatal(err)
	}
	scale.Spec.Replicas = 9
	if err := w.SubResource("scale").Update(t.Context(), obj, client.WithSubResourceBody(scale)); err != nil {
		t.Fatal(err)
	}
	equal(t, "scaled", *read().Spec.Replicas, 9)

	// Controller-runtime writes the response into the configuration of the object, not into that of the subresource.
	typed := appsv1ac.Deployment("a", "sea")
	body := autoscalingv1ac.Scale().WithSpec(autoscalingv1ac.ScaleSpec().WithReplicas(10))
	force := client.SubResourceApplyOptions{ApplyOptions: client.ApplyOptions{FieldManager: "typed", Force: new(true)}, SubResourceBody: body}
	if err := w.SubResource("scale").Apply(t.Context(), typed, &force); err != nil {
		t.Fatal(err)
	}
	after := read()
	equal(t, "scaled by a configuration", *after.Spec.Replicas, 10)
	equal(t, "resource version in the configuration", *typed.ResourceVersion, after.ResourceVersion)
	untyped := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": "sea", "name": "a"},
	}}
	force.FieldManager = "untyped"
	force.SubResourceBody = client.ApplyConfigurationFromUnstructured(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": map[string]any{"replicas": int64(11)},
	}})
	if err := w.SubResource("scale").Apply(t.Context(), client.ApplyConfigurationFromUnstructured(untyped), &force); err != nil {
		t.Fatal(err)
	}
	after = read()
	equal(t, "scaled by an untyped configuration", *after.Spec.Replicas, 11)
	equal(t, "resource version in the untyped configuration", untyped.GetResourceVersion(), after.ResourceVersion)
}

// Objects that the cache does not select are not waited for; kinds without informers get none.
func TestReadYourUnselectedWrites(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	opts := lagging()
	opts.DefaultLabelSelector = labels.SelectorFromSet(labels.Set{"name": "a"})
	c := start(t, config, opts)
	w := writer(t, config, c)
	create(t, w, configMap("bay/b"), configMap("lake/a"), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: "s"}})
	for _, one := range ours.All() {
		if state := ours.StateOf(one); strings.HasSuffix(state.Owner, config.Host) {
			t.Errorf("a write creates an informer of %s", state.Type)
		}
	}
	var list corev1.ConfigMapList
	if err := w.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	equal(t, "selected", keys(&list), []string{"bay/a"})
	short, cancel := context.WithTimeoutCause(t.Context(), 5*time.Second, errors.New("out of patience"))
	defer cancel()
	create(t, w, configMap("bay/c"), configMap("lake/b"))
	if err := w.Get(short, client.ObjectKey{Namespace: "bay", Name: "c"}, &corev1.ConfigMap{}); !apierrors.IsNotFound(err) {
		t.Errorf("not selected: error %v", err)
	}
	a := configMap("bay/a")
	if err := w.Get(short, client.ObjectKeyFromObject(a), a); err != nil {
		t.Fatal(err)
	}
	a.Labels = nil
	if err := w.Update(short, a); err != nil {
		t.Fatal(err)
	}
	if err := w.Get(short, client.ObjectKeyFromObject(a), a); !apierrors.IsNotFound(err) {
		t.Errorf("no longer selected: error %v", err)
	}
	if err := w.List(short, &list); err != nil {
		t.Fatal(err)
	}
	equal(t, "selected", keys(&list), []string(nil))
	missing := configMap("bay/missing")
	if err := w.Delete(short, missing); !apierrors.IsNotFound(err) {
		t.Errorf("deletion of nothing: error %v", err)
	}
	dry := configMap("bay/dry")
	dry.Labels = map[string]string{"name": "a"}
	if err := w.Create(short, dry, client.DryRunAll); err != nil {
		t.Fatal(err)
	}
	if err := w.Get(short, client.ObjectKeyFromObject(dry), dry); !apierrors.IsNotFound(err) {
		t.Errorf("a dry run: error %v", err)
	}
}

// A read that waits too long reports what the cache lacks, unless it is not to wait.
func TestReadYourWritesInTime(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	opts := lagging()
	opts.DefaultTransform = nil
	c := start(t, config, opts)
	held := make(chan struct{})
	err := c.IndexField(t.Context(), &corev1.ConfigMap{}, "held", func(obj client.Object) []string {
		if obj.GetName() == "held" {
			<-held // the store waits
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer close(held)
	w := writer(t, config, c)
	if _, err = c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	unnoted := configMap("bay/unnoted")
	create(t, w, configMap("bay/held"))
	if err = w.Create(t.Context(), unnoted, client.DisableReadYourWritesConsistency); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeoutCause(t.Context(), lag, errors.New("out of patience"))
	defer cancel()
	err = w.Get(short, client.ObjectKey{Namespace: "bay", Name: "held"}, &corev1.ConfigMap{})
	const want = `in namespace bay is at resource version`
	if !apierrors.IsTimeout(err) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "out of patience") || !errors.Is(err, context.Cause(short)) {
		t.Errorf("error %v, want a timeout with %q", err, want)
	}
	if err := w.Get(t.Context(), client.ObjectKeyFromObject(unnoted), unnoted); !apierrors.IsNotFound(err) {
		t.Errorf("a write that is not to be waited for: error %v", err)
	}
	if err := w.Get(short, client.ObjectKey{Namespace: "bay", Name: "held"}, &corev1.ConfigMap{}, client.DisableReadYourWritesConsistency); !apierrors.IsNotFound(err) {
		t.Errorf("a read that is not to wait: error %v", err)
	}
}

// Reads at a version wait for the sources that have the objects.
func TestNotOlderThan(t *testing.T) {
	_, config, direct := fleet(t, "bay/a", "sea/a")
	c := start(t, config, lagging())
	var list corev1.ConfigMapList
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	for i, namespace := range []string{"bay", "sea"} {
		obj := configMap(namespace + "/b")
		create(t, direct, obj)
		at := controllerruntime.NotOlderThan(obj.ResourceVersion)
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(obj), &corev1.ConfigMap{}, at); err != nil {
			t.Error(err)
		}
		obj = configMap(namespace + "/c")
		create(t, direct, obj)
		at = controllerruntime.NotOlderThan(obj.ResourceVersion)
		for _, reader := range []client.Reader{c, direct} {
			if err := reader.List(t.Context(), &list, client.InNamespace(namespace), at); err != nil {
				t.Fatal(err)
			}
			equal(t, "list", keys(&list), []string{namespace + "/a", namespace + "/b", namespace + "/c"})
		}
		short, cancel := context.WithTimeoutCause(t.Context(), lag, errors.New("out of patience"))
		defer cancel()
		other := []string{"sea", "bay"}[i]
		for what, opts := range map[string][]client.ListOption{"other": {client.InNamespace(other), at}, "all": {at}} {
			err := c.List(short, &list, opts...)
			if i == 1 && what == "all" {
				continue // which may have received a bookmark
			}
			if err != nil && (!apierrors.IsTimeout(err) || !strings.Contains(err.Error(), "in namespace "+other)) {
				t.Errorf("%s: error %v, want a timeout of %s", what, err, other)
			}
		}
	}
	for _, none := range []controllerruntime.NotOlderThan{"", "0"} {
		if err := c.List(t.Context(), &list, none); err != nil {
			t.Error(err)
		}
	}
	if err := c.List(t.Context(), &list, controllerruntime.NotOlderThan("x")); err == nil {
		t.Error("a version that cannot be compared")
	}

	// through a client, too
	w := writer(t, config, c)
	short, cancel := context.WithTimeoutCause(t.Context(), lag, errors.New("out of patience"))
	defer cancel()
	never := controllerruntime.NotOlderThan("1000000")
	if err := w.Get(short, client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}, never); !apierrors.IsTimeout(err) {
		t.Errorf("Get of a client: error %v, want a timeout", err)
	}
	if err := w.List(short, &list, never); !apierrors.IsTimeout(err) {
		t.Errorf("List of a client: error %v, want a timeout", err)
	}
}

// NewClient needs a cache of NewCache, or none.
func TestNewClient(t *testing.T) {
	_, config, direct := fleet(t, "bay/a")
	if _, err := controllerruntime.NewClient(config, client.Options{Cache: &client.CacheOptions{Reader: direct}}); err == nil || !strings.Contains(err.Error(), "NewCache") {
		t.Errorf("another reader: error %v", err)
	}
	no := false
	for _, options := range []client.Options{
		{},
		{Cache: &client.CacheOptions{Reader: direct, EnableReadYourWritesConsistency: &no}},
	} {
		c, err := controllerruntime.NewClient(config, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
			t.Error(err)
		}
	}
}
