package cache_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/rest"
)

// call is a request as a client received it.
type call struct {
	method  string
	options metav1.ListOptions
	value   any // of the context
}

type contextKey struct{}

// typedClient is a client of one kind that records requests.
type typedClient struct {
	calls []call
	err   error
}

func (c *typedClient) List(ctx context.Context, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	c.calls = append(c.calls, call{"list", options, ctx.Value(contextKey{})})
	if c.err != nil {
		return nil, c.err
	}
	return &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "7"}}, nil
}

func (c *typedClient) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	c.calls = append(c.calls, call{"watch", options, ctx.Value(contextKey{})})
	return watch.NewEmptyWatch(), c.err
}

// streamingClient can also pass on objects one by one.
type streamingClient struct {
	typedClient
	refuses bool
}

func (c *streamingClient) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	c.calls = append(c.calls, call{"stream", options, ctx.Value(contextKey{})})
	return &metav1.PartialObjectMetadataList{}, each(&metav1.PartialObjectMetadata{})
}

func (c *streamingClient) IsWatchListSemanticsUnSupported() bool { return c.refuses }

// refuses reports whether a ListerWatcher does not support WatchList.
func refuses(lw any) bool {
	r, ok := lw.(interface{ IsWatchListSemanticsUnSupported() bool })
	return ok && r.IsWatchListSemanticsUnSupported()
}

func TestListWatchFor(t *testing.T) {
	client := &typedClient{}
	lw := cache.ListWatchFor(client, func(o *metav1.ListOptions) { o.LabelSelector = "a=b" })
	ctx := context.WithValue(t.Context(), contextKey{}, "mine")
	with := cache.ToListerWatcherWithContext(lw)
	options := metav1.ListOptions{ResourceVersion: "5"}
	for _, list := range []func() (runtime.Object, error){
		func() (runtime.Object, error) { return lw.List(options) },
		func() (runtime.Object, error) { return with.ListWithContext(ctx, options) },
	} {
		obj, err := list()
		if l, ok := obj.(*metav1.PartialObjectMetadataList); err != nil || !ok || l.ResourceVersion != "7" {
			t.Errorf("%+v, %v", obj, err)
		}
	}
	if _, err := lw.Watch(options); err != nil {
		t.Error(err)
	}
	if _, err := with.WatchWithContext(ctx, options); err != nil {
		t.Error(err)
	}
	tweaked := metav1.ListOptions{ResourceVersion: "5", LabelSelector: "a=b"}
	want := []call{{"list", tweaked, nil}, {"list", tweaked, "mine"}, {"watch", tweaked, nil}, {"watch", tweaked, "mine"}}
	if !slices.Equal(client.calls, want) {
		t.Errorf("calls\n%+v, want\n%+v", client.calls, want)
	}
	if options.LabelSelector != "" {
		t.Error("the caller's options were changed")
	}
	if _, ok := lw.(cache.ListStreamer); ok || refuses(lw) {
		t.Error("it can do more than its client, or less")
	}
}

func TestListWatchForWithoutTweak(t *testing.T) {
	client := &typedClient{}
	if _, err := cache.ListWatchFor(client, nil).List(metav1.ListOptions{Limit: 3}); err != nil || client.calls[0].options.Limit != 3 {
		t.Errorf("%+v, %v", client.calls, err)
	}
}

func TestListWatchForFails(t *testing.T) {
	client := &typedClient{err: errors.New("no")}
	lw := cache.ListWatchFor(client, nil)
	if obj, err := lw.List(metav1.ListOptions{}); obj != nil || !errors.Is(err, client.err) {
		t.Errorf("%#v, %v", obj, err)
	}
	if _, err := lw.Watch(metav1.ListOptions{}); !errors.Is(err, client.err) {
		t.Error(err)
	}
}

func TestListWatchForStreams(t *testing.T) {
	client := &streamingClient{refuses: true}
	lw := cache.ListWatchFor(client, func(o *metav1.ListOptions) { o.LabelSelector = "a=b" })
	streamer, ok := lw.(cache.ListStreamer)
	if !ok || !refuses(lw) {
		t.Fatal("the client's report about WatchList is lost")
	}
	stop := errors.New("stop")
	_, err := streamer.StreamList(context.WithValue(t.Context(), contextKey{}, "mine"), metav1.ListOptions{Limit: 3}, func(runtime.Object) error { return stop })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
	if want := []call{{"stream", metav1.ListOptions{Limit: 3, LabelSelector: "a=b"}, "mine"}}; !slices.Equal(client.calls, want) {
		t.Errorf("calls %+v", client.calls)
	}
	if refuses(cache.ListWatchFor(&streamingClient{}, nil)) {
		t.Error("refuses for a client that does not")
	}
}

func TestListWatch(t *testing.T) {
	var calls []string
	list := func(metav1.ListOptions) (runtime.Object, error) {
		calls = append(calls, "list")
		return nil, nil
	}
	start := func(metav1.ListOptions) (watch.Interface, error) {
		calls = append(calls, "watch")
		return nil, nil
	}
	listWith := func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
		calls = append(calls, "list with")
		return nil, ctx.Err()
	}
	startWith := func(ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
		calls = append(calls, "watch with")
		return nil, ctx.Err()
	}
	for name, c := range map[string]struct {
		lw   cache.ListWatch
		want []string
	}{
		"without": {cache.ListWatch{ListFunc: list, WatchFunc: start}, []string{"list", "list", "watch", "watch"}},
		"with":    {cache.ListWatch{ListWithContextFunc: listWith, WatchFuncWithContext: startWith}, []string{"list with", "list with", "watch with", "watch with"}},
		"both": {cache.ListWatch{ListFunc: list, WatchFunc: start, ListWithContextFunc: listWith, WatchFuncWithContext: startWith},
			[]string{"list", "list with", "watch", "watch with"}},
	} {
		calls = nil
		_, err1 := c.lw.List(metav1.ListOptions{})
		_, err2 := c.lw.ListWithContext(t.Context(), metav1.ListOptions{})
		_, err3 := c.lw.Watch(metav1.ListOptions{})
		_, err4 := c.lw.WatchWithContext(t.Context(), metav1.ListOptions{})
		if err := errors.Join(err1, err2, err3, err4); err != nil || !slices.Equal(calls, c.want) {
			t.Errorf("%s: %q, %v", name, calls, err)
		}
	}
}

// plain is a ListerWatcher without contexts.
type plain struct{ calls *[]string }

func (p plain) List(metav1.ListOptions) (runtime.Object, error) {
	*p.calls = append(*p.calls, "list")
	return nil, nil
}

func (p plain) Watch(metav1.ListOptions) (watch.Interface, error) {
	*p.calls = append(*p.calls, "watch")
	return nil, nil
}

// halfPlain lists with a context, and watches without.
type halfPlain struct{ plain }

func (p halfPlain) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	*p.calls = append(*p.calls, "list with")
	return nil, nil
}

func TestToListerWatcherWithContext(t *testing.T) {
	var calls []string
	for name, c := range map[string]struct {
		lw   cache.ListerWatcher
		want []string
	}{
		"without": {plain{&calls}, []string{"list", "watch"}},
		"half":    {halfPlain{plain{&calls}}, []string{"list with", "watch"}},
	} {
		calls = nil
		with := cache.ToListerWatcherWithContext(c.lw)
		_, err1 := with.ListWithContext(t.Context(), metav1.ListOptions{})
		_, err2 := with.WatchWithContext(t.Context(), metav1.ListOptions{})
		if err := errors.Join(err1, err2); err != nil || !slices.Equal(calls, c.want) {
			t.Errorf("%s: %q, %v", name, calls, err)
		}
	}
	lw := &cache.ListWatch{}
	if cache.ToListerWatcherWithContext(lw) != cache.ListerWatcherWithContext(lw) {
		t.Error("a ListerWatcher with contexts is not returned unchanged")
	}
}

func TestToListWatcherWithWatchListSemantics(t *testing.T) {
	for name, c := range map[string]struct {
		client any
		want   bool
	}{
		"nothing":                 {nil, false},
		"says nothing":            {&typedClient{}, false},
		"knows streaming lists":   {&streamingClient{}, false},
		"refuses streaming lists": {&streamingClient{refuses: true}, true},
	} {
		lw := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			return &metav1.List{}, nil
		}}, c.client)
		if got := refuses(lw); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if obj, err := cache.ToListerWithContext(lw).ListWithContext(t.Context(), metav1.ListOptions{}); obj == nil || err != nil {
			t.Errorf("%s: lists %v, %v", name, obj, err)
		}
	}
}

func TestNewListWatchFromClient(t *testing.T) {
	gv := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1"}
	scheme := runtime.NewScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var uris []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		uris = append(uris, r.URL.RequestURI())
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			_, _ = w.Write([]byte(`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}]}`))
		}
	}))
	defer server.Close()
	client, err := rest.RESTClientForConfigAndClient(&rest.Config{
		Host: server.URL, APIPath: "/apis",
		ContentConfig: rest.ContentConfig{GroupVersion: &gv, NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion()},
	}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		lw   *cache.ListWatch
		want string
	}{
		"all": {cache.NewListWatchFromClient(client, "boats", "", fields.Everything()), "/apis/meta.k8s.io/v1/boats?"},
		"some": {cache.NewListWatchFromClient(client, "boats", "n", fields.OneTermEqualSelector("metadata.name", "a")),
			"/apis/meta.k8s.io/v1/namespaces/n/boats?fieldSelector=metadata.name%3Da&"},
		"filtered": {cache.NewFilteredListWatchFromClient(client, "boats", "n", func(o *metav1.ListOptions) { o.LabelSelector = "a" }),
			"/apis/meta.k8s.io/v1/namespaces/n/boats?labelSelector=a&"},
	} {
		t.Run(name, func(t *testing.T) {
			uris = nil
			options := metav1.ListOptions{ResourceVersion: "5"}
			for _, list := range []func() (runtime.Object, error){
				func() (runtime.Object, error) { return c.lw.List(options) },
				func() (runtime.Object, error) { return c.lw.ListWithContext(t.Context(), options) },
			} {
				obj, err := list()
				if l, ok := obj.(*metav1.PartialObjectMetadataList); err != nil || !ok || len(l.Items) != 1 {
					t.Errorf("%+v, %v", obj, err)
				}
			}
			for _, start := range []func() (watch.Interface, error){
				func() (watch.Interface, error) { return c.lw.Watch(options) },
				func() (watch.Interface, error) { return c.lw.WatchWithContext(t.Context(), options) },
			} {
				w, err := start()
				if err != nil {
					t.Fatal(err)
				}
				for range w.ResultChan() {
					t.Error("an event")
				}
			}
			want := c.want + "resourceVersion=5"
			if !slices.Equal(uris, []string{want, want, want + "&watch=true", want + "&watch=true"}) {
				t.Errorf("%q", uris)
			}
			for name, f := range map[string]bool{"ListFunc": c.lw.ListFunc == nil, "WatchFunc": c.lw.WatchFunc == nil,
				"ListWithContextFunc": c.lw.ListWithContextFunc == nil, "WatchFuncWithContext": c.lw.WatchFuncWithContext == nil} {
				if f {
					t.Errorf("%s is not set", name)
				}
			}
		})
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cache.NewListWatchFromClient(client, "boats", "", fields.Everything()).ListWithContext(cancelled, metav1.ListOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("list with a context that is over: %v", err)
	}
}
