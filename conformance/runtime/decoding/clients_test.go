package decoding_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/runtime/rest"
)

// answering is a transport whose responses have one body.
type answering struct {
	mediaType string
	body      []byte
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {a.mediaType}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r}, nil
}

// clients returns client-go's client and ours with one serializer and one response.
func clients(t *testing.T, given runtime.NegotiatedSerializer, answer answering) (*clientgo.RESTClient, *rest.RESTClient) {
	t.Helper()
	gv, httpClient := schema.GroupVersion{Version: "v1"}, &http.Client{Transport: answer}
	theirs, err := clientgo.RESTClientForConfigAndClient(&clientgo.Config{
		Host: "http://host", APIPath: "/api", QPS: -1, ContentConfig: clientgo.ContentConfig{GroupVersion: &gv, NegotiatedSerializer: given},
	}, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := rest.RESTClientForConfigAndClient(&rest.Config{
		Host: "http://host", APIPath: "/api", ContentConfig: rest.ContentConfig{GroupVersion: &gv, NegotiatedSerializer: given},
	}, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	return theirs, ours
}

// cause returns the error in one that names the request, which client-go's errors do not.
func cause(err error) string {
	var named *url.Error
	if errors.As(err, &named) {
		err = named.Err
	}
	return fmt.Sprintf("%T %v", err, err)
}

func difference(want, got any) string {
	return cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }))
}

// compareClients compares what both clients make of a response.
func compareClients(t *testing.T, given runtime.NegotiatedSerializer, answer answering, empty func() runtime.Object) {
	t.Helper()
	theirs, ours := clients(t, given, answer)
	check := func(how string, want, got runtime.Object, wantErr, err error) {
		if cause(err) != cause(wantErr) {
			t.Errorf("%s of %q: %s, want %s", how, answer.body, cause(err), cause(wantErr))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s of %q: (-want, +got)\n%s", how, answer.body, difference(want, got))
		}
	}
	want, wantErr := theirs.Get().Do(t.Context()).Get()
	got, err := ours.Get().Do(t.Context()).Get()
	check("Get", want, got, wantErr, err)

	wantInto, gotInto := empty(), empty()
	if wantInto == nil {
		return
	}
	wantErr, err = theirs.Get().Do(t.Context()).Into(wantInto), ours.Get().Do(t.Context()).Into(gotInto)
	check("Into", wantInto, gotInto, wantErr, err)
	// DoInto has more errors, for objects of another kind.
	gotInto = empty()
	if err = ours.Get().DoInto(t.Context(), gotInto); err == nil {
		check("DoInto", wantInto, gotInto, wantErr, err)
	}
}

// events returns the events of a watch. Of the last one's Status, if the client made it, it returns the cause.
func events(w watch.Interface, err error) (all []watch.Event, failure string) {
	if err != nil {
		return nil, cause(err)
	}
	for e := range w.ResultChan() {
		if status, ok := e.Object.(*metav1.Status); ok && status.Details != nil {
			for _, c := range status.Details.Causes {
				if c.Type == "ClientWatchDecoding" {
					return all, c.Message
				}
			}
		}
		all = append(all, e)
	}
	return all, ""
}

// compareWatches compares the events that both clients get from a stream.
func compareWatches(t *testing.T, given runtime.NegotiatedSerializer, answer answering) {
	t.Helper()
	theirs, ours := clients(t, given, answer)
	want, wantErr := events(theirs.Get().Watch(t.Context()))
	got, err := events(ours.Get().Watch(t.Context()))
	if err != wantErr {
		t.Errorf("watch of %q: %s, want %s", answer.body, err, wantErr)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("watch of %q: (-want, +got)\n%s", answer.body, difference(want, got))
	}
}

// TestClients compares what client-go's clients and ours, given client-go's serializers, make of responses in JSON.
func TestClients(t *testing.T) {
	typed := generated(scheme.Scheme, scheme.Codecs)
	partial := metadata.ConfigFor(&clientgo.Config{}).NegotiatedSerializer
	untyped := dynamic.ConfigFor(&clientgo.Config{}).NegotiatedSerializer
	random := rand.New(rand.NewSource(*seed))
	known := slices.DeleteFunc(kinds(t), func(k decoding.Kind) bool { return k.Scheme != scheme.Scheme })
	for i := range known {
		k := &known[i]
		for j := range 4 {
			text, err := k.Text(random)
			if err != nil {
				t.Fatal(err)
			}
			if j > 1 {
				text = decoding.Mutate(random, text)
			}
			answer := answering{runtime.ContentTypeJSON, text}
			compareClients(t, typed, answer, func() runtime.Object { object, _ := k.Scheme.New(k.GVK); return object })
			compareClients(t, partial, answer, func() runtime.Object { return &metav1.PartialObjectMetadata{} })
			compareClients(t, untyped, answer, func() runtime.Object {
				if strings.HasSuffix(k.GVK.Kind, "List") {
					return &unstructured.UnstructuredList{}
				}
				return &unstructured.Unstructured{}
			})
			var stream []byte
			for _, typ := range []watch.EventType{watch.Added, watch.Modified, watch.Bookmark, watch.Deleted} {
				stream = fmt.Appendf(stream, "{\"type\":%q,\"object\":%s}\n", typ, bytes.TrimSpace(text))
			}
			for _, given := range []runtime.NegotiatedSerializer{typed, partial, untyped} {
				compareWatches(t, given, answering{runtime.ContentTypeJSON, stream})
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestClientsProtobuf is TestClients in protobuf.
func TestClientsProtobuf(t *testing.T) {
	typed := generated(scheme.Scheme, scheme.Codecs)
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	random := rand.New(rand.NewSource(*seed))
	known := slices.DeleteFunc(kinds(t), func(k decoding.Kind) bool { return k.Scheme != scheme.Scheme })
	n := 0
	for i := range known {
		k := &known[i]
		text, err := k.Text(random)
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := k.Exact.Decode(text, nil, nil)
		if err != nil {
			continue
		}
		object.GetObjectKind().SetGroupVersionKind(k.GVK)
		body, err := runtime.Encode(info.Serializer, object)
		if err != nil {
			continue // some kinds have no protobuf
		}
		n++
		for j := range 3 {
			if j > 0 {
				body = mutateProtobuf(random, body)
			}
			compareClients(t, typed, answering{runtime.ContentTypeProtobuf, body}, func() runtime.Object { object, _ := k.Scheme.New(k.GVK); return object })
			var stream []byte
			for _, typ := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
				event, err := (&metav1.WatchEvent{Type: string(typ), Object: runtime.RawExtension{Raw: body}}).Marshal()
				if err != nil {
					t.Fatal(err)
				}
				stream = append(binary.BigEndian.AppendUint32(stream, uint32(len(event))), event...)
			}
			compareWatches(t, typed, answering{runtime.ContentTypeProtobuf, stream})
		}
		if t.Failed() {
			return
		}
	}
	if n < 300 {
		t.Errorf("only %d kinds", n)
	}
}
