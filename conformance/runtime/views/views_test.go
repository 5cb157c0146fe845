package views_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/conformance/runtime/views"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
)

// numbers returns the numbers that generated clients of the views of this package have.
func numbers(t testing.TB) map[string]string {
	t.Helper()
	api, _, err := generators.Read(t.Context(), generators.RunOptions{Options: generators.Options{Patterns: []string{"."}}, Clients: true, Fakes: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, v := range api.Versions() {
		for _, k := range v.Kinds {
			found[k.Name] = k.View.Numbers
		}
	}
	return found
}

// TestGenerated checks that what is generated for this package is up to date.
func TestGenerated(t *testing.T) {
	report, err := generators.DeepCopy(t.Context(), generators.DeepCopyOptions{Options: generators.Options{Patterns: []string{"."}, Mode: generators.Verify}})
	if err != nil {
		t.Errorf("%v\n%s", err, report.Diff)
	}
}

// pods returns random Pods.
func pods(t testing.TB, seed int64, n int) []corev1.Pod {
	t.Helper()
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.New(rand.NewSource(seed)), scheme.Codecs).NumElements(0, 3).MaxDepth(14)
	list := make([]corev1.Pod, n)
	for i := range list {
		fill.Fill(&list[i])
		list[i].TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
		list[i].Name, list[i].Namespace, list[i].ResourceVersion = fmt.Sprint("pod-", i), "ns", fmt.Sprint(i+1)
	}
	return list
}

// server serves Pods in the format that a request asks for: a list, and a watch of the objects in events.
func server(t testing.TB, list []corev1.Pod, events []corev1.Pod) *rest.Config {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mediaType := runtime.ContentTypeJSON
		if strings.HasPrefix(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
			mediaType = runtime.ContentTypeProtobuf
		}
		info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
		encoder := scheme.Codecs.EncoderForVersion(info.Serializer, corev1.SchemeGroupVersion)
		var body bytes.Buffer
		w.Header().Set("Content-Type", mediaType)
		switch name, isOne := strings.CutPrefix(r.URL.Path, "/api/v1/namespaces/ns/pods/"); {
		case isOne:
			i := slices.IndexFunc(list, func(p corev1.Pod) bool { return p.Name == name })
			if i < 0 {
				w.WriteHeader(http.StatusNotFound)
				_ = encoder.Encode(&metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound}, &body)
				break
			}
			_ = encoder.Encode(&list[i], &body)
		case r.URL.Query().Get("sendInitialEvents") == "true":
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = encoder.Encode(&metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonInvalid, Code: http.StatusUnprocessableEntity}, &body)
		case r.URL.Query().Get("watch") != "":
			embedded := scheme.Codecs.EncoderForVersion(info.StreamSerializer.Serializer, corev1.SchemeGroupVersion)
			frames := streaming.NewEncoder(info.StreamSerializer.NewFrameWriter(w), embedded)
			for i := range events {
				var object bytes.Buffer
				_ = scheme.Codecs.EncoderForVersion(info.StreamSerializer.Serializer, corev1.SchemeGroupVersion).Encode(&events[i], &object)
				if mediaType == runtime.ContentTypeProtobuf {
					object.Reset()
					_ = encoder.Encode(&events[i], &object)
				}
				_ = frames.Encode(&metav1.WatchEvent{Type: string(watch.Modified), Object: runtime.RawExtension{Raw: object.Bytes()}})
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		default:
			_ = encoder.Encode(&corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1000"}, Items: list}, &body)
		}
		_, _ = w.Write(body.Bytes())
	}))
	t.Cleanup(s.Close)
	return &rest.Config{Host: s.URL}
}

// client returns a REST client of the core group.
func client(t testing.TB, config *rest.Config) rest.Interface {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	c, err := gentype.NewGroup(corev1.SchemeGroupVersion, "/api", scheme.Scheme, scheme.Codecs).RESTClient(config, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fields returns an object of a view with the fields of a Pod, read from its JSON by package encoding/json.
func fields[T any](t testing.TB, pod *corev1.Pod) *T {
	t.Helper()
	text, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	view := new(T)
	if err := json.Unmarshal(text, view); err != nil {
		t.Fatal(err)
	}
	// As clients do of single objects and of items of lists alike, when informers read them.
	reflect.ValueOf(view).Elem().FieldByName("TypeMeta").SetZero()
	return view
}

// normal returns the JSON of an object, without its kind: in protobuf, some empty values are missing that JSON has.
func normal(t testing.TB, view any) string {
	t.Helper()
	text, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err = json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	delete(value, "kind")
	delete(value, "apiVersion")
	text, err = json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type object interface {
	runtime.Object
	metav1.Object
}

// formats are the ways to transfer objects: those of a config without and with a content type.
var formats = map[string]string{"protobuf": "", "JSON": runtime.ContentTypeJSON}

func TestPod(t *testing.T) { test[views.Pod, *views.Pod, *views.PodList](t, "Pod") }
func TestPodForms(t *testing.T) {
	test[views.PodForms, *views.PodForms, *views.PodFormsList](t, "PodForms")
}

// test reads random Pods by a view: Get, List, Watch and an informer return the fields of the Pods.
func test[V any, T interface {
	*V
	object
}, L runtime.Object](t *testing.T, name string) {
	for format, contentType := range formats {
		t.Run(format, func(t *testing.T) {
			ctx := t.Context()
			list, events := pods(t, 1, 100), pods(t, 2, 50)
			for i := range events {
				events[i].ResourceVersion = fmt.Sprint(2000 + i)
			}
			config := server(t, list, events)
			config.ContentType = contentType
			c := client(t, config)
			view := &gentype.View[T, L]{Version: corev1.SchemeGroupVersion, Kind: "Pod", Resource: "pods", Numbers: numbers(t)[name]}
			if view.Numbers == "" {
				t.Fatal("no numbers")
			}
			pods := view.For(c, "ns")
			check := func(got any, pod *corev1.Pod) {
				t.Helper()
				if got, want := normal(t, got), normal(t, fields[V](t, pod)); got != want {
					t.Fatalf("got %s\nwant %s", got, want)
				}
			}
			for i := range list {
				got, err := pods.Get(ctx, list[i].Name, metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				check(got, &list[i])
			}
			if _, err := pods.Get(ctx, "none", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				t.Errorf("%v, want not found", err)
			}
			all, err := pods.List(ctx, metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			items, err := meta.ExtractList(all)
			if err != nil || len(items) != len(list) {
				t.Fatalf("%d items, %v", len(items), err)
			}
			for i := range items {
				check(items[i], &list[i])
			}
			sharing := codec.WithSharing(ctx)
			for range 3 { // parts are shared when they come again
				i := 0
				if _, err := pods.StreamList(sharing, metav1.ListOptions{}, func(item runtime.Object) error {
					check(item, &list[i])
					i++
					return nil
				}); err != nil || i != len(list) {
					t.Fatalf("%d items, %v", i, err)
				}
			}

			informer := cache.NewSharedIndexInformer(cache.ListWatchFor(pods, nil), T(new(V)), 0, cache.Indexers{})
			updated := make(chan any, len(events))
			if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, obj any) { updated <- obj }}); err != nil {
				t.Fatal(err)
			}
			go informer.RunWithContext(ctx)
			for i := range events {
				check(<-updated, &events[i])
			}
			for i := range list {
				got, ok, err := informer.GetStore().GetByKey("ns/" + list[i].Name)
				if !ok || err != nil {
					t.Fatal(ok, err)
				}
				pod := &list[i]
				if i < len(events) {
					pod = &events[i]
				}
				check(got, pod)
			}
		})
	}
}
