package gentype_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/golden/view/clientset/versioned"
	"github.com/listwatch/listwatch/golden/view/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/testdata/apis/view/views"
)

const table = `{"kind":"Table","apiVersion":"cafe.example.com/v1","metadata":{"name":"a","namespace":"ns","resourceVersion":"7","annotations":{"a":"b"}},` +
	`"spec":{"room":"garden","seats":[{"name":"s","bench":{"width":3,"wood":"oak"}}],"lamp":{"watts":40}},"status":{"guests":2}}`

// TestView reads objects by the client of a view that is generated, from a server without protobuf.
func TestView(t *testing.T) {
	var accepted []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accepted = append(accepted, r.Header.Get("Accept"))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/apis/cafe.example.com/v1/namespaces/ns/tables/a":
			fmt.Fprint(w, table)
		case r.URL.Path != "/apis/cafe.example.com/v1/namespaces/ns/tables":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
		case r.URL.Query().Get("watch") != "":
			fmt.Fprintf(w, "{\"type\":\"ADDED\",\"object\":%s}\n", table)
			fmt.Fprint(w, `{"type":"BOOKMARK","object":{"kind":"Table","apiVersion":"cafe.example.com/v1","metadata":{"resourceVersion":"9"}}}`+"\n")
			fmt.Fprint(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}`+"\n")
		default:
			fmt.Fprintf(w, `{"kind":"TableList","apiVersion":"cafe.example.com/v1","metadata":{"resourceVersion":"8"},"items":[%s]}`, table)
		}
	}))
	defer server.Close()
	client := versioned.NewForConfigOrDie(&rest.Config{Host: server.URL}).CafeV1().TableViews("ns")
	ctx := t.Context()
	check := func(got *views.TableView) {
		t.Helper()
		if got.Name != "a" || got.ResourceVersion != "7" || got.Spec.Room != "garden" || got.Spec.Seats[0].Bench.Width != 3 || got.Status.Guests != 2 {
			t.Errorf("%+v", got)
		}
	}
	got, err := client.Get(ctx, "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check(got)
	if _, err = client.Get(ctx, "b", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Error(err)
	}
	list, err := client.List(ctx, metav1.ListOptions{})
	if err != nil || list.ResourceVersion != "8" || len(list.Items) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	check(&list.Items[0])
	w, err := client.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	added, bookmark, failure := <-w.ResultChan(), <-w.ResultChan(), <-w.ResultChan()
	check(added.Object.(*views.TableView))
	if bookmark.Type != watch.Bookmark || bookmark.Object.(*views.TableView).ResourceVersion != "9" {
		t.Errorf("%+v", bookmark)
	}
	if !apierrors.IsResourceExpired(apierrors.FromObject(failure.Object)) {
		t.Errorf("%+v", failure)
	}
	for _, accept := range accepted {
		if accept != "application/vnd.kubernetes.protobuf,application/json" {
			t.Errorf("accepts %s", accept)
		}
	}
	if gvk := got.GroupVersionKind(); gvk != (schema.GroupVersionKind{}) {
		t.Errorf("kind %v", gvk) // cleared, as for all typed objects
	}
}

// An informer of a view gets its objects from a watch: it knows the bookmark that ends them, although the struct has no
// annotations.
func TestViewStreamsItsObjects(t *testing.T) {
	for _, media := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		t.Run(media, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("watch") == "" {
					t.Error("a list")
					stop()
					return
				}
				end := &metav1.PartialObjectMetadata{
					TypeMeta:   metav1.TypeMeta{APIVersion: "cafe.example.com/v1", Kind: "Table"},
					ObjectMeta: metav1.ObjectMeta{ResourceVersion: "9", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}},
				}
				text, err := encodeEvent(media, watch.Bookmark, end)
				if err != nil {
					t.Error(err)
				}
				w.Header().Set("Content-Type", media+";stream=watch")
				_, _ = w.Write(text)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}))
			defer server.Close()
			client := versioned.NewForConfigOrDie(&rest.Config{Host: server.URL})
			for event, err := range gentype.Events(ctx, client.CafeV1().TableViews("ns"), metav1.ListOptions{}) {
				if err != nil || event.Type != watch.Bookmark || event.Object.ResourceVersion != "9" {
					t.Errorf("got %+v, %v", event, err)
				}
				break
			}
			factory := externalversions.NewSharedInformerFactory(client, 0)
			informer := factory.Cafe().V1().TableViews().Informer()
			factory.StartWithContext(ctx)
			defer factory.Shutdown()
			defer stop()
			if err := cache.WaitForSync(ctx, informer); err != nil {
				t.Fatal(err)
			}
			if version := informer.LastSyncResourceVersion(); version != "9" {
				t.Errorf("resource version %s", version)
			}
		})
	}
}

// encodeEvent returns the frame of an event.
func encodeEvent(media string, typ watch.EventType, object runtime.Object) ([]byte, error) {
	if media == "application/json" {
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		return json.Marshal(metav1.WatchEvent{Type: string(typ), Object: runtime.RawExtension{Raw: text}})
	}
	var body bytes.Buffer
	if err := protobuf.NewSerializer(nil, nil).Encode(object, &body); err != nil {
		return nil, err
	}
	text, err := (&metav1.WatchEvent{Type: string(typ), Object: runtime.RawExtension{Raw: body.Bytes()}}).Marshal()
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...), err
}
