package controllerruntime_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

// manage creates a manager with our cache and client, whose controllers may have names of those of other tests.
func manage(t *testing.T, rest *rest.Config, change ...func(*ctrl.Options)) manager.Manager {
	t.Helper()
	again := true
	options := ctrl.Options{
		NewCache:   controllerruntime.NewCache,
		NewClient:  controllerruntime.NewClient,
		Client:     client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Controller: config.Controller{SkipNameValidation: &again},
		Metrics:    server.Options{BindAddress: "0"},
	}
	for _, f := range change {
		f(&options)
	}
	m, err := ctrl.NewManager(rest, options)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// runManager runs a manager until the end of the test, and returns when it has started.
func runManager(t *testing.T, m manager.Manager) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- m.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	select {
	case <-m.Elected():
	case err := <-stopped:
		stopped <- err
		t.Fatal("the manager ended")
	}
	if err := controllerruntime.WaitForSync(ctx, m.GetCache()); err != nil {
		t.Fatal(err)
	}
}

// reconciled are the results of a controller's reads, as text.
type reconciled chan string

// reader returns a reconciler that reads objects like an example.
func (r reconciled) reader(c client.Client, example client.Object) reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		obj := example.DeepCopyObject().(client.Object)
		err := c.Get(ctx, request.NamespacedName, obj)
		if client.IgnoreNotFound(err) != nil {
			return reconcile.Result{}, err
		}
		select {
		case r <- fmt.Sprint(request.Name, " ", err == nil):
		case <-ctx.Done():
		}
		return reconcile.Result{}, nil
	})
}

// expect reads results until there is this one.
func (r reconciled) expect(t *testing.T, want string) {
	t.Helper()
	for {
		select {
		case got := <-r:
			if got == want {
				return
			}
		case <-time.After(time.Minute):
			t.Fatalf("no result %q", want)
		}
	}
}

// informers returns what the informers of a server are of.
func informers(host string) (out []string) {
	for _, one := range ours.All() {
		if state := ours.StateOf(one); strings.HasSuffix(state.Owner, host) {
			out = append(out, state.Type)
		}
	}
	return out
}

// A controller that is added to a running manager gets an informer, with the objects there are and those to come.
func TestAddController(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	m := manage(t, config)
	first := make(reconciled, 100)
	if err := ctrl.NewControllerManagedBy(m).For(&corev1.Namespace{}).Complete(first.reader(m.GetClient(), &corev1.Namespace{})); err != nil {
		t.Fatal(err)
	}
	runManager(t, m)
	first.expect(t, "bay true")
	for _, form := range []string{"", "unstructured", "metadata"} {
		seen := make(reconciled, 100)
		err := ctrl.NewControllerManagedBy(m).Named("added" + form).For(inForm(form)).Complete(seen.reader(m.GetClient(), inForm(form)))
		if err != nil {
			t.Fatal(err)
		}
		seen.expect(t, "a true")
		create(t, m.GetClient(), configMap("bay/"+form+"x"))
		seen.expect(t, form+"x true")
		if err := m.GetClient().Delete(t.Context(), configMap("bay/"+form+"x")); err != nil {
			t.Fatal(err)
		}
		seen.expect(t, form+"x false")
	}
	create(t, m.GetClient(), configMap("sea/a"))
	first.expect(t, "sea true")
}

// A controller that runs and ends beside a manager, with an informer that is removed then, can start again. The manager's
// own controller of another form of the kind works on.
func TestRemoveInformerOfController(t *testing.T) {
	_, config, direct := fleet(t, "bay/a")
	m := manage(t, config)
	own := make(reconciled, 100)
	partial := inForm("metadata")
	if err := ctrl.NewControllerManagedBy(m).For(partial).Complete(own.reader(m.GetClient(), partial)); err != nil {
		t.Fatal(err)
	}
	runManager(t, m)
	own.expect(t, "a true")
	before := informers(config.Host)
	for i := range 3 {
		seen := make(reconciled, 100)
		again := true
		c, err := controller.NewUnmanaged("beside", controller.Options{
			Reconciler:         seen.reader(m.GetClient(), &corev1.ConfigMap{}),
			SkipNameValidation: &again,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err = c.Watch(source.Kind(m.GetCache(), &corev1.ConfigMap{}, &handler.TypedEnqueueRequestForObject[*corev1.ConfigMap]{})); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.Start(ctx) }()
		seen.expect(t, "a true")
		name := fmt.Sprint("x", i)
		create(t, direct, configMap("bay/"+name))
		seen.expect(t, name+" true")
		informer, err := m.GetCache().GetInformer(t.Context(), &corev1.ConfigMap{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "informers", len(informers(config.Host)), len(before)+1)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := m.GetCache().RemoveInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
			t.Fatal(err)
		}
		waitStopped(informer)
		equal(t, "informers after the removal", informers(config.Host), before)
		own.expect(t, name+" true")
	}
}

// shipCRD defines a kind whose objects have any content.
func shipCRD() *apiextensions.CustomResourceDefinition {
	anything := true
	return &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "ships.example.com"},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensions.NamespaceScoped,
			Names: apiextensions.CustomResourceDefinitionNames{Plural: "ships", Singular: "ship", Kind: "Ship", ListKind: "ShipList"},
			Versions: []apiextensions.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &apiextensions.JSONSchemaProps{
					Type: "object", XPreserveUnknownFields: &anything,
				}},
			}},
		},
	}
}

func ship(namespace, name string) *unstructured.Unstructured {
	out := &unstructured.Unstructured{}
	out.SetAPIVersion("example.com/v1")
	out.SetKind("Ship")
	out.SetNamespace(namespace)
	out.SetName(name)
	return out
}

// unknownKinds are the kinds that a mapper did not find.
type unknownKinds chan schema.GroupKind

// provider returns a mapper that is controller-runtime's and adds the kinds that it does not find.
func (u unknownKinds) provider(config *rest.Config, http *http.Client) (meta.RESTMapper, error) {
	m, err := apiutil.NewDynamicRESTMapper(config, http)
	return unknownKindsMapper{m, u}, err
}

type unknownKindsMapper struct {
	meta.RESTMapper
	unknown unknownKinds
}

func (m unknownKindsMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	mapping, err := m.RESTMapper.RESTMapping(kind, versions...)
	if meta.IsNoMatchError(err) {
		select {
		case m.unknown <- kind:
		default:
		}
	}
	return mapping, err
}

// A controller of a kind whose definition comes later works from then on: controller-runtime tries every 10 seconds. Until
// then reads report that there is no such kind.
func TestKindOfLaterDefinition(t *testing.T) {
	t.Parallel()
	srv, config, _ := fleet(t, "bay/a")
	asked := make(unknownKinds, 100)
	m := manage(t, config, func(opts *ctrl.Options) { opts.MapperProvider = asked.provider })
	seen := make(reconciled, 100)
	if err := ctrl.NewControllerManagedBy(m).For(ship("", "")).Complete(seen.reader(m.GetClient(), ship("", ""))); err != nil {
		t.Fatal(err)
	}
	runManager(t, m)
	<-asked // by the controller
	name := client.ObjectKey{Namespace: "bay", Name: "a"}
	if err := m.GetClient().Get(t.Context(), name, ship("", "")); !meta.IsNoMatchError(err) {
		t.Errorf("before the definition: error %v", err)
	}
	if err := srv.Apply(t.Context(), shipCRD()); err != nil {
		t.Fatal(err)
	}
	create(t, m.GetClient(), ship("bay", "a"))
	if err := m.GetClient().Get(t.Context(), name, ship("", "")); err != nil { // with an informer that it creates
		t.Error(err)
	}
	seen.expect(t, "a true")
}
