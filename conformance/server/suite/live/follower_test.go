package live

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes"
	informers "github.com/listwatch/listwatch/kubernetes/informers"
	corev1informers "github.com/listwatch/listwatch/kubernetes/informers/core/v1"
	"github.com/listwatch/listwatch/runtime/cache"
)

// follower is an informer of config maps with a handler that records the last state.
type follower struct {
	typed corev1informers.TypedConfigMapInformer

	mu      sync.Mutex        // guards the fields below
	seen    map[string]string // resource versions by name
	wrong   []string
	changed chan struct{} // closed when seen changes
}

// follow starts an informer that stops when the test ends, and waits until it has synced.
func follow(t *testing.T, client kubernetes.Interface) *follower {
	t.Helper()
	factory := informers.NewSharedInformerFactory(client, 0)
	f := &follower{seen: map[string]string{}, changed: make(chan struct{})}
	f.typed = factory.Core().V1().ConfigMaps()
	if _, err := f.typed.TypedInformer().AddTypedEventHandler(corev1informers.ConfigMapHandlerFuncs{
		AddFunc:    func(c *corev1.ConfigMap) { f.see(c, "", c.ResourceVersion) },
		UpdateFunc: func(old, c *corev1.ConfigMap) { f.see(c, old.ResourceVersion, c.ResourceVersion) },
		DeleteFunc: func(d corev1informers.DeletedConfigMap) { f.see(d.OptionalObj, d.OptionalObj.ResourceVersion, "") },
	}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		t.Fatal(err)
	}
	return f
}

// see records an event, which leads from one version of an object to another.
func (f *follower) see(c *corev1.ConfigMap, from, to string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if had := f.seen[c.Name]; to != "" && had != from {
		f.wrong = append(f.wrong, fmt.Sprintf("%s: from %q to %q, but was %q", c.Name, from, to, had))
	}
	f.seen[c.Name] = to
	if to == "" {
		delete(f.seen, c.Name)
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// check waits until store and handler are in the server's state, which does not change.
func (f *follower) check(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	list, err := client.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	newest := ""
	for _, c := range list.Items {
		want[c.Name] = c.ResourceVersion
		if len(c.ResourceVersion) > len(newest) || len(c.ResourceVersion) == len(newest) && c.ResourceVersion > newest {
			newest = c.ResourceVersion
		}
	}
	if err = cache.WaitForResourceVersion(ctx, f.typed.Informer(), newest); err != nil {
		t.Fatal(err)
	}
	f.wait(ctx, t, want)
	stored, err := f.typed.Lister().ConfigMaps("default").List(labels.Everything())
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, c := range stored {
		have[c.Name] = c.ResourceVersion
	}
	if !maps.Equal(have, want) {
		t.Errorf("the store has %v instead of %v", have, want)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, wrong := range f.wrong {
		t.Error(wrong)
	}
}

// wait waits until the handler has seen these versions.
func (f *follower) wait(ctx context.Context, t *testing.T, want map[string]string) {
	t.Helper()
	for {
		f.mu.Lock()
		same, changed, seen := maps.Equal(f.seen, want), f.changed, maps.Clone(f.seen)
		f.mu.Unlock()
		if same {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("the handler has seen %v instead of %v", seen, want)
		}
	}
}
