package cache_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// lateSource is a source that lists only after a while, or never for a reason.
type lateSource struct {
	*cachetesting.FakeControllerSource
	after time.Duration
	err   error
}

func (s lateSource) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	select {
	case <-time.After(s.after):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	return s.List(options)
}

func (s lateSource) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return s.Watch(options)
}

var errForbidden = apierrors.NewForbidden(boats.GroupResource(), "",
	errors.New(`user "jim" cannot list resource "boats" in API group "sea.example" at the cluster scope`))

func TestWaitForLogsWhyNot(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedInformer(lateSource{source, 0, errForbidden}, &ship{}, 0)
		registration := mustAddHandler(t, informer, &logbook{})
		defer run(t, informer)()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ctx, lines := logTo(ctx)
		cache.WaitFor(ctx, "boats", informer.HasSyncedChecker(), registration.HasSyncedChecker())
		if log := strings.Join(lines(), "\n"); strings.Count(log, "cannot list resource") != 2 {
			t.Errorf("the log of WaitFor does not say why twice:\n%s", log)
		}
	})
}

func TestWaitForSync(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		synced := cache.NewSharedInformer(source, &ship{}, 0)
		late := cache.NewTypedSharedIndexInformer[*ship](cache.NewSharedIndexInformer(lateSource{source, time.Minute, nil}, &ship{}, 0, nil))
		defer run(t, synced)()
		defer run(t, late)()
		if err := cache.WaitForSync(t.Context(), synced, late); err != nil {
			t.Errorf("WaitForSync = %v", err)
		}
	})
}

func TestWaitForSyncSaysWhyNot(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		newInformer := func(name string, source cache.ListerWatcher) cache.SharedIndexInformer {
			return cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{ObjectDescription: name})
		}
		fine := newInformer("fine", source)
		defer run(t, fine)()
		forbidden := newInformer("forbidden boats", lateSource{source, 0, errForbidden})
		defer run(t, forbidden)()
		late := newInformer("late boats", lateSource{source, time.Hour, nil})
		defer run(t, late)()
		unstarted := newInformer("lonely boats", source)

		ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Second, errors.New("out of patience"))
		defer cancel()
		err := cache.WaitForSync(ctx, forbidden, fine, late, unstarted)
		if err == nil {
			t.Fatal("WaitForSync = nil")
		}
		for _, want := range []string{
			"forbidden boats has not synced: ", "boats.sea.example is forbidden", "at the cluster scope",
			"late boats has not synced: listing", "lonely boats has not synced: informer was never started", "out of patience",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in the error:\n%v", want, err)
			}
		}
		if strings.Contains(err.Error(), "fine") {
			t.Errorf("the error names one that has synced:\n%v", err)
		}
		if !apierrors.IsForbidden(err) {
			t.Error("the error does not wrap that of the server")
		}
	})
}

func TestWaitForSyncOfAStoppedInformer(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedInformer(lateSource{source, time.Minute, nil}, &ship{}, 0)
		stop := run(t, informer)
		waited := make(chan error)
		go func() { waited <- cache.WaitForSync(t.Context(), informer) }()
		synctest.Wait()
		stop()
		if err := <-waited; err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("WaitForSync = %v, want that it has stopped", err)
		}
	})
}

// The same context may end the informer and the wait for it, for example a deadline for both. The
// reason why the informer has not synced is still known.
func TestWaitForSyncSaysWhyNotOfAStoppedInformer(t *testing.T) {
	for _, test := range []struct {
		name   string
		source lateSource
		want   []string
		not    string
	}{
		{"refused", lateSource{err: errForbidden}, []string{"informer has stopped", "boats.sea.example is forbidden"}, ""},
		{"slow to refuse", lateSource{err: errForbidden, after: 3 * time.Second}, []string{"informer has stopped", "boats.sea.example is forbidden"}, ""},
		{"slow", lateSource{after: time.Hour}, []string{"informer has stopped"}, "context canceled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				test.source.FakeControllerSource = source
				informer := cache.NewSharedInformer(test.source, &ship{}, 0)
				stop := run(t, informer)
				time.Sleep(10 * time.Second)
				stop()
				err := cache.WaitForSync(t.Context(), informer)
				if err == nil {
					t.Fatal("WaitForSync = nil")
				}
				for _, want := range test.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("no %q in the error: %v", want, err)
					}
				}
				if test.not != "" && strings.Contains(err.Error(), test.not) {
					t.Errorf("%q in the error: %v", test.not, err)
				}
				if apierrors.IsForbidden(err) != (test.source.err != nil) {
					t.Errorf("the error does not wrap that of the server: %v", err)
				}
			})
		})
	}
}

func TestWaitForResourceVersion(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		for name, informer := range map[string]cache.SharedInformer{"own": informer, "foreign": foreignInformer{informer}} {
			b := newShip("bay/"+name, "red")
			source.Add(b)
			if err := cache.WaitForResourceVersion(t.Context(), informer, b.ResourceVersion); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, exists, _ := informer.GetStore().Get(b); !exists {
				t.Errorf("%s: the store is not as far as was waited for", name)
			}
		}
	})
}

// foreignInformer hides that an informer belongs to the package.
type foreignInformer struct{ cache.SharedIndexInformer }

func TestWaitForResourceVersionFails(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		own := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		stop := run(t, own)
		synctest.Wait()
		for name, informer := range map[string]cache.SharedInformer{"own": own, "foreign": foreignInformer{own}} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("out of patience"))
			defer cancel()
			err := cache.WaitForResourceVersion(ctx, informer, "17")
			if err == nil || !strings.Contains(err.Error(), `at resource version "0", want "17": out of patience`) {
				t.Errorf("%s: got error %v", name, err)
			}
			if err := cache.WaitForResourceVersion(t.Context(), informer, "seventeen"); err == nil || !strings.Contains(err.Error(), "seventeen") {
				t.Errorf("%s: of no resource version: got error %v", name, err)
			}
		}
		waited := make(chan error, 2)
		go func() { waited <- cache.WaitForResourceVersion(t.Context(), own, "17") }()
		go func() { waited <- cache.WaitForResourceVersion(t.Context(), foreignInformer{own}, "17") }()
		synctest.Wait()
		stop()
		for range 2 {
			if err := <-waited; err == nil || !strings.Contains(err.Error(), "stopped") {
				t.Errorf("WaitForResourceVersion = %v, want that it has stopped", err)
			}
		}
	})
}

func TestWaitForResourceVersionTellsOfTrouble(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(lateSource{source, 0, errForbidden}, &ship{}, 0, nil)
		defer run(t, informer)()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := cache.WaitForResourceVersion(ctx, informer, "1")
		if !apierrors.IsForbidden(err) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("WaitForResourceVersion = %v, want it to wrap the server's error and the context's", err)
		}
	})
}
