//go:build kube

package foreign_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/runtime/soak"
	"github.com/listwatch/listwatch/controllerruntime"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

var (
	objects   = flag.Int("soak.objects", 200, "objects before the manager begins")
	events    = flag.Int("soak.events", 2_000, "changes to make")
	disturbed = flag.Int("soak.disturbed", 2, "times that the server is restarted, each second time without its history")
	limit     = flag.Duration("soak.limit", 10*time.Minute, "when to give up")
)

// TestSoakManager runs a manager with ten controllers while package soak writes and the real server is restarted: what
// each saw last is what the server has in the end. Meanwhile a writer reads its own writes in two namespaces.
func TestSoakManager(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), *limit)
	defer cancel()
	s := kube.StartTest(t)
	if err := s.Define(ctx, "../../../testdata/crds/library.yaml"); err != nil {
		t.Fatal(err)
	}
	types := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(types), libraryv1.AddToScheme(types)); err != nil {
		t.Fatal(err)
	}
	config := clientgo.ToConfig(s.Config())
	config.QPS = -1
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:    types,
		NewCache:  controllerruntime.NewCache,
		NewClient: controllerruntime.NewClient,
		Client:    client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Cache: cache.Options{ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{"default": {}, "kube-system": {}}},
		}},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []*watcher
	for i := range 10 {
		w := &watcher{name: fmt.Sprint("books", i), example: bookIn(i % 3), client: manager.GetClient(), seen: map[client.ObjectKey]string{}}
		err = ctrl.NewControllerManagedBy(manager).Named(w.name).For(w.example).
			WithOptions(controller.Options{MaxConcurrentReconciles: 1 + i%4}).Complete(w)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	running, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	group.Go(func() {
		if failure := manager.Start(running); failure != nil {
			t.Error(failure)
		}
	})
	server := &restarted{Server: s}
	own := &ownWrites{client: manager.GetClient(), server: server}
	enough := make(chan struct{})
	wrote := make(chan error, 1)
	go func() { wrote <- own.run(running, enough) }()

	report, err := soak.Run(ctx, server, soak.Load{Objects: *objects, Events: *events, Writers: 4, Disturbed: *disturbed})
	close(enough)
	if report != nil {
		t.Log(report)
	}
	if err = errors.Join(err, <-wrote); err != nil {
		t.Fatal(err)
	}
	t.Logf("own writes: %d were seen by the next read, %d by a later one because the server was restarted, %d writes failed",
		own.seen-len(own.late), len(own.late), own.failed)
	for _, late := range own.late {
		t.Log("  ", late)
	}
	direct, err := client.New(config, client.Options{Scheme: types})
	if err != nil {
		t.Fatal(err)
	}
	var list libraryv1.BookList
	if err := direct.List(ctx, &list); err != nil {
		t.Fatal(err)
	}
	want := map[client.ObjectKey]string{}
	for _, book := range list.Items {
		want[client.ObjectKeyFromObject(&book)] = book.ResourceVersion
	}
	begin := time.Now()
	for _, w := range all {
		for different := w.compare(want); different != ""; different = w.compare(want) {
			if time.Since(begin) > 2*time.Minute {
				t.Fatalf("%s: %s", w.name, different)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	calls := 0
	for _, w := range all {
		calls += w.calls
	}
	t.Logf("%d controllers, %d calls: all saw the %d objects as the server has them, %v after the last write",
		len(all), calls, len(want), time.Since(begin).Round(time.Millisecond))
}

// restarted is a real server that is restarted, the first time and each second time after that without its history.
type restarted struct {
	*kube.Server
	times int

	mu         sync.Mutex // guards the fields below
	restarting bool
	until      time.Time // the end of the last restart
}

// Disturb implements [soak.Server].
func (s *restarted) Disturb(ctx context.Context) (string, error) {
	s.mark(true)
	defer s.mark(false)
	s.times++
	if s.times%2 == 0 {
		return "restarted", s.Restart(ctx)
	}
	if err := s.Compact(ctx); err != nil {
		return "", err
	}
	return "restarted without history", s.Restart(ctx)
}

func (s *restarted) mark(restarting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restarting, s.until = restarting, time.Now()
}

// restartedSince reports whether the server is restarting or was at a time or later.
func (s *restarted) restartedSince(begin time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.restarting || s.until.After(begin)
}

// bookIn returns an empty book in one of three forms.
func bookIn(form int) client.Object {
	var out client.Object
	switch form {
	case 0:
		return &libraryv1.Book{}
	case 1:
		out = &unstructured.Unstructured{}
	default:
		out = &metav1.PartialObjectMetadata{}
	}
	out.GetObjectKind().SetGroupVersionKind(libraryv1.SchemeGroupVersion.WithKind("Book"))
	return out
}

// watcher is a controller that remembers what it saw last.
type watcher struct {
	name    string
	example client.Object
	client  client.Client

	mu    sync.Mutex // guards the fields below
	seen  map[client.ObjectKey]string
	calls int
}

// Reconcile implements reconcile.Reconciler.
func (w *watcher) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	obj := w.example.DeepCopyObject().(client.Object)
	err := w.client.Get(ctx, request.NamespacedName, obj)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	switch {
	case apierrors.IsNotFound(err):
		delete(w.seen, request.NamespacedName)
	case err != nil:
		return ctrl.Result{}, err
	default:
		w.seen[request.NamespacedName] = obj.GetResourceVersion()
	}
	return ctrl.Result{}, nil
}

// compare describes how what was seen last differs from what is wanted.
func (w *watcher) compare(want map[client.ObjectKey]string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := maps.Clone(want)
	maps.Copy(names, w.seen)
	var out []string
	for name := range names {
		if w.seen[name] != want[name] {
			out = append(out, fmt.Sprintf("%s at %q, want %q", name, w.seen[name], want[name]))
		}
	}
	slices.Sort(out)
	return strings.Join(out[:min(5, len(out))], "; ")
}

// ownWrites writes, and reads each write.
type ownWrites struct {
	client       client.Client
	server       *restarted
	seen, failed int
	late         []string // what was seen only after reads that timed out
}

func (o *ownWrites) run(ctx context.Context, enough <-chan struct{}) error {
	for i := 0; ; i++ {
		obj := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: []string{"default", "kube-system"}[i%2], Name: fmt.Sprint("own-", i%7)}}
		if err := o.write(ctx, obj, i); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-enough:
			return nil
		}
	}
}

// write creates, updates or deletes an object, and reads that.
func (o *ownWrites) write(ctx context.Context, obj *corev1.ConfigMap, i int) error {
	rv := ""
	err := o.client.Get(ctx, client.ObjectKeyFromObject(obj), obj)
	switch {
	case apierrors.IsNotFound(err):
		err = o.client.Create(ctx, obj)
		rv = obj.ResourceVersion
	case err == nil && i%3 == 0:
		err = o.client.Delete(ctx, obj)
	case err == nil:
		obj.Data = map[string]string{"i": fmt.Sprint(i)}
		err = o.client.Update(ctx, obj)
		rv = obj.ResourceVersion
	}
	if err != nil { // the server is restarting, or an earlier write failed after it had an effect
		o.failed++
		return nil
	}
	return o.read(ctx, client.ObjectKeyFromObject(obj), rv)
}

// read reads an object until it is at a resource version or, if that is empty, deleted. It returns an error if it reads
// anything else. A read may time out only soon after a restart of the server: informers wait up to a minute until they try
// again.
func (o *ownWrites) read(ctx context.Context, name client.ObjectKey, rv string) error {
	begin, timeouts := time.Now(), 0
	for {
		var got corev1.ConfigMap
		err := o.client.Get(ctx, name, &got)
		switch {
		case apierrors.IsTimeout(err) && ctx.Err() == nil && o.server.restartedSince(begin.Add(-time.Minute)):
			if timeouts++; timeouts == 1 {
				o.late = append(o.late, err.Error())
			}
			continue
		case rv == "" && apierrors.IsNotFound(err), err == nil && rv != "" && got.ResourceVersion == rv:
			o.seen++
			if timeouts > 0 {
				o.late[len(o.late)-1] = fmt.Sprintf("seen after %v, %d reads: %s", time.Since(begin).Round(time.Millisecond), timeouts+1, o.late[len(o.late)-1])
			}
			return nil
		case err != nil:
			return fmt.Errorf("read %s, want %q: %w", name, rv, err)
		default:
			return fmt.Errorf("read %s at %q, want %q", name, got.ResourceVersion, rv)
		}
	}
}
