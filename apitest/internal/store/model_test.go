package store_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"
)

// state is the expected content of a list: resource versions by name.
type state map[string]string

func (s state) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		all = append(all, name+"@"+s[name])
	}
	return strings.Join(all, " ")
}

// listAt lists at an exact version, page by page if limit is not 0.
func listAt(ctx context.Context, s storage.Interface, version uint64, limit int64) (state, error) {
	opts := everything
	opts.ResourceVersion, opts.ResourceVersionMatch = fmt.Sprint(version), metav1.ResourceVersionMatchExact
	opts.Predicate.Limit = limit
	all := state{}
	for {
		var list example.PodList
		if err := s.GetList(ctx, "/pods", opts, &list); err != nil {
			return nil, err
		}
		if list.ResourceVersion != fmt.Sprint(version) {
			return nil, fmt.Errorf("list of version %s, want %d", list.ResourceVersion, version)
		}
		for _, p := range list.Items {
			all[p.Name] = p.ResourceVersion
		}
		if list.Continue == "" {
			return all, nil
		}
		opts.ResourceVersion, opts.ResourceVersionMatch = "", ""
		opts.Predicate.Continue = list.Continue
	}
}

// Random writes, and reads of every past state while others write: a list is correct, or it has
// expired.
func TestOldStates(t *testing.T) {
	const writes, history = 1500, 200
	b := store.NewBackend(store.Options{History: history})
	s := open(t, b, pods, podCodec())
	states := make(chan struct {
		version uint64
		state   state
	}, writes)
	var readers sync.WaitGroup
	var right, expired int
	var mu sync.Mutex // guards both counts
	for range 4 {
		readers.Go(func() {
			for want := range states {
				got, err := listAt(context.Background(), s, want.version, rand.Int64N(8))
				mu.Lock()
				switch {
				case err == nil:
					right++
					if got.String() != want.state.String() {
						t.Errorf("at %d:\n%v, want\n%v", want.version, got, want.state)
					}
				case apierrors.IsResourceExpired(err):
					expired++
				default:
					t.Errorf("at %d: %v", want.version, err)
				}
				mu.Unlock()
			}
		})
	}
	now := state{}
	for i := range writes {
		name := fmt.Sprintf("pod-%d", rand.IntN(20))
		switch _, exists := now[name]; {
		case !exists:
			add(t, s, name)
			now[name] = fmt.Sprint(b.ResourceVersion())
		case rand.IntN(3) == 0:
			remove(t, s, name)
			delete(now, name)
		default:
			relabel(t, s, name, i)
			now[name] = fmt.Sprint(b.ResourceVersion())
		}
		states <- struct {
			version uint64
			state   state
		}{b.ResourceVersion(), maps.Clone(now)}
	}
	close(states)
	readers.Wait()
	if right == 0 {
		t.Errorf("all of %d lists have expired", expired)
	}
	if _, err := listAt(context.Background(), s, b.ResourceVersion()-2*history, 0); !apierrors.IsResourceExpired(err) {
		t.Errorf("a list beyond the history: %v", err)
	}
}

// Several writers, and watchers that begin at any version: each watcher can build the last state.
func TestWatchersFollow(t *testing.T) {
	const writers, writes = 4, 500
	s := open(t, store.NewBackend(store.Options{History: 4 * writers * writes}), pods, podCodec())
	fill(t, s, 10)
	var follow, write sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	last := make(chan string)
	for range 8 {
		var list example.PodList
		if err := s.GetList(ctx, "/pods", everything, &list); err != nil {
			t.Fatal(err)
		}
		opts := everything
		opts.ResourceVersion = list.ResourceVersion
		w, err := s.Watch(ctx, "/pods", opts)
		if err != nil {
			t.Fatal(err)
		}
		seen := state{}
		for _, p := range list.Items {
			seen[p.Name] = p.ResourceVersion
		}
		follow.Go(func() {
			defer w.Stop()
			for e := range w.ResultChan() {
				p, ok := e.Object.(interface{ GetObjectMeta() metav1.Object })
				if !ok {
					t.Errorf("a watch got %v, want events of pods", e)
					return
				}
				m := p.GetObjectMeta()
				if m.GetName() == "last" {
					break
				}
				if e.Type == watch.Deleted {
					delete(seen, m.GetName())
				} else {
					seen[m.GetName()] = m.GetResourceVersion()
				}
			}
			last <- seen.String()
		})
	}
	for n := range writers {
		write.Go(func() {
			for i := range writes {
				if i%10 == n {
					name := fmt.Sprintf("of-%d-%d", n, i)
					add(t, s, name)
					if i%20 == n {
						remove(t, s, name)
					}
				}
				relabel(t, s, fmt.Sprintf("pod-%06d", i%10), n*writes+i)
			}
		})
	}
	write.Wait()
	want, err := listAt(ctx, s, currentVersion(t, s), 0)
	if err != nil {
		t.Fatal(err)
	}
	add(t, s, "last")
	for range 8 {
		if got := <-last; got != want.String() {
			t.Errorf("seen:\n%v, want\n%v", got, want)
		}
	}
	follow.Wait()
}
