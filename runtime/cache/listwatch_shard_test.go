package cache_test

import (
	"context"
	"fmt"
	goreflect "reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Two shards of all UIDs. The hashes of UIDs (FNV-1a, 64 bits) are 96bcca83b55aa4bb for anna and
// f8974f5e9b637065 for berta; those of namespaces are 00392b19133936cf for bay and 823b7a195ce1f80c
// for sea.
const (
	lower = "shardRange(object.metadata.uid, '0x0000000000000000', '0xc000000000000000')"
	upper = "shardRange(object.metadata.uid, '0xc000000000000000', '0x10000000000000000')"
)

// fleetClient is a typed client of a server that ignores shard selectors, or applies them and
// reports that.
type fleetClient struct {
	ships   []ship
	sharded bool
	events  chan watch.Event
}

func (c *fleetClient) List(context.Context, metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "10"}, Items: slices.Clone(c.ships)}
	if c.sharded {
		info := goreflect.ValueOf(&list.ListMeta).Elem().FieldByName("ShardInfo")
		info.Set(goreflect.New(info.Type().Elem()))
	}
	return list, nil
}

func (c *fleetClient) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return watch.NewProxyWatcher(c.events), nil
}

func (c *fleetClient) IsWatchListSemanticsUnSupported() bool { return true }

// streamingFleet is a fleetClient that passes on ships one by one.
type streamingFleet struct{ *fleetClient }

func (c streamingFleet) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	list, _ := c.List(ctx, options)
	for i := range list.Items {
		if err := each(&list.Items[i]); err != nil {
			return nil, err
		}
	}
	list.Items = nil
	return list, nil
}

// ofShard returns a function that sets a shard selector, for which the Kubernetes libraries must be
// v0.36 or later.
func ofShard(t *testing.T, selector string) func(*metav1.ListOptions) {
	t.Helper()
	if _, ok := goreflect.TypeFor[metav1.ListOptions]().FieldByName("ShardSelector"); !ok {
		t.Skip("these Kubernetes libraries have no shards")
	}
	return func(o *metav1.ListOptions) {
		goreflect.ValueOf(o).Elem().FieldByName("ShardSelector").SetString(selector)
	}
}

func shipOf(key, rv string) *ship {
	s := withVersion(newShip(key, "red"), rv)
	s.UID = types.UID(s.Name)
	return s
}

func TestShardSelector(t *testing.T) {
	all := []string{"bay/anna", "bay/berta", "sea/anna", "sea/berta"}
	ofNamespaces := func(selector string) string { return strings.ReplaceAll(selector, "uid", "namespace") }
	for _, test := range []struct {
		name     string
		selector string
		sharded  bool // the server reports that it has selected: its lists are trusted
		want     []string
	}{
		{"none", "", false, all},
		{"lower", lower, false, []string{"bay/anna", "sea/anna"}},
		{"upper", upper, false, []string{"bay/berta", "sea/berta"}},
		{"both", upper + " || " + lower, false, all},
		{"both, by namespace", ofNamespaces(upper + "||" + lower), false, all},
		{"lower, by namespace", ofNamespaces(lower), false, all},
		{"a bit of space", strings.NewReplacer("(", " (\n", ")", " ) ", ",", " ,\t").Replace(upper), false, []string{"bay/berta", "sea/berta"}},
		{"the server selects", lower, true, all},
	} {
		for _, streaming := range []bool{false, true} {
			if streaming && test.sharded {
				continue // objects are streamed and checked before the server reports it
			}
			t.Run(fmt.Sprintf("%s, streaming %v", test.name, streaming), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					client := &fleetClient{sharded: test.sharded, events: make(chan watch.Event)}
					for _, key := range all {
						client.ships = append(client.ships, *shipOf(key, "1"))
					}
					tweak := ofShard(t, test.selector)
					lw := cache.ListWatchFor(client, tweak)
					if streaming {
						lw = cache.ListWatchFor(streamingFleet{client}, tweak)
					}
					informer := cache.NewSharedIndexInformer(lw, &ship{}, 0, nil)
					defer run(t, informer)()
					synctest.Wait()
					if diff := cmp.Diff(test.want, sortedKeys(informer.GetStore())); diff != "" {
						t.Errorf("(-want +got):\n%s", diff)
					}
				})
			})
		}
	}
}

// TestShardSelectorOfWatches uses a watch with changes of all shards: objects of other shards are
// not stored, but the informer knows that it is up to date.
func TestShardSelectorOfWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := &fleetClient{events: make(chan watch.Event)}
		log := &logbook{}
		informer := cache.NewSharedIndexInformer(cache.ListWatchFor(client, ofShard(t, lower)), &ship{}, 0, nil)
		mustAddHandler(t, informer, log)
		defer run(t, informer)()
		pretender := shipOf("bay/clara", "14") // is in the upper shard
		pretender.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
		for _, step := range []struct {
			event watch.Event
			want  []string // calls of handlers
			at    string   // version of the informer
		}{
			{watch.Event{Type: watch.Added, Object: shipOf("bay/anna", "11")}, []string{"add bay/anna red"}, "11"},
			{watch.Event{Type: watch.Added, Object: shipOf("bay/berta", "12")}, nil, "12"},
			{watch.Event{Type: watch.Deleted, Object: shipOf("bay/berta", "13")}, nil, "13"},
			{watch.Event{Type: watch.Added, Object: pretender}, nil, "13"},
			{watch.Event{Type: watch.Deleted, Object: shipOf("bay/anna", "15")}, []string{"delete bay/anna red"}, "15"},
			{watch.Event{Type: watch.Bookmark, Object: &ship{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "16"}}}, nil, "16"},
		} {
			client.events <- step.event
			log.expect(t, step.want...)
			if at := cache.StateOf(informer).ResourceVersion; at != step.at {
				t.Errorf("at resource version %s, want %s", at, step.at)
			}
		}
	})
}

// TestInvalidShardSelector checks that each way to read objects reports it.
func TestInvalidShardSelector(t *testing.T) {
	client, tweak, want := &fleetClient{events: make(chan watch.Event)}, ofShard(t, "uid in 1"), `shard selector: invalid "uid in 1"`
	for name, lw := range map[string]cache.ListerWatcher{
		"whole":     cache.ListWatchFor(client, tweak),
		"streaming": cache.ListWatchFor(streamingFleet{client}, tweak),
	} {
		_, listing := lw.List(metav1.ListOptions{})
		_, watching := lw.Watch(metav1.ListOptions{})
		errs := []error{listing, watching}
		if s, ok := lw.(cache.ListStreamer); ok {
			_, streaming := s.StreamList(t.Context(), metav1.ListOptions{}, func(runtime.Object) error { return nil })
			errs = append(errs, streaming)
		}
		for _, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want %q", name, err, want)
			}
		}
	}
}
