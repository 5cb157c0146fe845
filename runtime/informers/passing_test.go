package informers_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/informers"
)

// observed is a typed client that records how an informer uses it.
type observed struct {
	client
	tolerant       bool // the context of requests tolerates undecodable objects
	lists, watches int
	first          string // resource version of the first list request
}

func (o *observed) List(ctx context.Context, options metav1.ListOptions) (*list, error) {
	codecs := serializer.NewCodecFactory(runtime.NewScheme())
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := codec.ForScheme(runtime.NewScheme(), codecs).DecoderToVersion(info.Serializer, schema.GroupVersion{}).(codec.StreamDecoder)
	o.tolerant = fmt.Sprintf("%T", codec.ForContext(ctx, decoder)) != fmt.Sprintf("%T", decoder)
	if o.lists++; o.lists == 1 {
		o.first = options.ResourceVersion
	}
	return o.client.List(ctx, options)
}

func (o *observed) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	o.watches++
	return watch.NewFake(), nil
}

// TestOptionsReachTheInformer checks that options, for all types and for one, change the behaviour
// of an informer within an hour.
func TestOptionsReachTheInformer(t *testing.T) {
	for name, c := range map[string]struct {
		options informers.Options
		err     error // of lists
		see     func(*observed, cache.SharedInformer) string
		without string
		with    string
	}{
		"Backoff": {
			informers.Options{Backoff: &wait.Backoff{Duration: 25 * time.Minute}}, errors.New("no"),
			func(o *observed, _ cache.SharedInformer) string { return fmt.Sprint(o.lists <= 3) }, "false", "true",
		},
		"ProgressDeadline": {
			informers.Options{ProgressDeadline: time.Minute}, nil,
			func(o *observed, _ cache.SharedInformer) string { return fmt.Sprint(o.watches > 30) }, "false", "true",
		},
		"Undecodable": {
			informers.Options{Undecodable: cache.QuarantineUndecodable}, nil,
			func(o *observed, _ cache.SharedInformer) string { return fmt.Sprint(o.tolerant) }, "false", "true",
		},
		"AllowStaleFirstList": {
			informers.Options{AllowStaleFirstList: true}, nil,
			func(o *observed, _ cache.SharedInformer) string { return o.first }, "", "0",
		},
		"InformerName": {
			informers.Options{InformerName: mustName(t, "harbour")}, nil,
			func(_ *observed, i cache.SharedInformer) string { return cache.StateOf(i).Name }, "", "harbour",
		},
	} {
		ofType := map[reflect.Type]informers.Options{reflect.TypeFor[*object](): c.options}
		for level, config := range map[string]informers.Config{
			"without":     {},
			"of all":      {Options: c.options},
			"of the type": {Types: ofType},
		} {
			t.Run(name+" "+level, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					o := &observed{client: client{&server{err: c.err}, ""}}
					f := newFactory(o.server, config)
					informer := f.InformerFor(&object{}, func(time.Duration) cache.SharedIndexInformer {
						options := informers.OptionsFor(f, &object{}, informers.Options{})
						return informers.New(o.server, &object{}, boats, options, func(tweak informers.Tweak) cache.ListerWatcher {
							return cache.ListWatchFor(o, tweak)
						})
					})
					ctx, cancel := context.WithCancel(t.Context())
					f.StartWithContext(ctx)
					time.Sleep(time.Hour)
					cancel()
					synctest.Wait()
					want := c.with
					if level == "without" {
						want = c.without
					}
					if got := c.see(o, informer); got != want {
						t.Errorf("got %q, want %q", got, want)
					}
				})
			})
		}
	}
}

func mustName(t *testing.T, name string) *cache.InformerName {
	t.Helper()
	n, err := cache.NewInformerName(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Release)
	return n
}

// TestTweaksAddUp passes on the factory's tweak, as generated code does.
func TestTweaksAddUp(t *testing.T) {
	add := func(text string) informers.Tweak {
		return func(o *metav1.ListOptions) { o.LabelSelector += text }
	}
	f := newFactory(&server{}, informers.Config{
		Options: informers.Options{TweakListOptions: add("all")},
		Types:   map[reflect.Type]informers.Options{reflect.TypeFor[*object](): {TweakListOptions: add(" type")}},
	})
	var got metav1.ListOptions
	informers.OptionsFor(f, &object{}, informers.Options{TweakListOptions: add("all")}).TweakListOptions(&got)
	if got.LabelSelector != "all type" {
		t.Errorf("tweaked by %q", got.LabelSelector)
	}
}

// TestListsAreNotKept uses a client that cannot stream lists, and checks that stored objects are no
// part of the list.
func TestListsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := &list{ListMeta: metav1.ListMeta{ResourceVersion: "10"}, Items: named("a", "one", "two")}
		informer := informers.New(&server{}, &object{}, boats, informers.Options{}, func(informers.Tweak) cache.ListerWatcher {
			return &cache.ListWatch{
				ListFunc:  func(metav1.ListOptions) (runtime.Object, error) { return whole, nil },
				WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil },
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		go informer.RunWithContext(ctx)
		synctest.Wait()
		if got := informer.GetStore().List(); len(got) != 2 {
			t.Errorf("the store contains %v", got)
		}
		for i := range whole.Items {
			if held, _, _ := informer.GetStore().Get(&whole.Items[i]); held == any(&whole.Items[i]) {
				t.Errorf("%s is part of the list", whole.Items[i].Name)
			}
		}
		cancel()
		synctest.Wait()
	})
}
