package metadata_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/rest"
)

var books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}

const (
	partialJSON = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"go","labels":{"a":"b"}}}`
	bookJSON    = `{"kind":"Book","apiVersion":"library.dev/v1","metadata":{"name":"go","labels":{"a":"b"}},"spec":{"metadata":{"name":"x"}}}`
)

// server responds to all requests with the same text, and records them.
type server struct {
	*httptest.Server
	requests []string // method, URI, content type and body
	accept   []string
}

func serve(t *testing.T, status int, response string) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.requests = append(s.requests, strings.TrimSpace(strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("Content-Type"), string(body)}, " ")))
		s.accept = append(s.accept, r.Header.Get("Accept"))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, response)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) books(t *testing.T) metadata.Getter {
	t.Helper()
	client, err := metadata.NewForConfigAndClient(&rest.Config{Host: s.URL, APIPath: "/elsewhere"}, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return client.Resource(books)
}

// verbs calls a verb each, and returns metadata if the verb does.
var verbs = map[string]struct {
	call   func(ctx context.Context, c metadata.ResourceInterface) (any, error)
	want   string // the request, with PATH for the path of the resource
	accept string
}{
	"get": {func(ctx context.Context, c metadata.ResourceInterface) (any, error) {
		return c.Get(ctx, "go", metav1.GetOptions{ResourceVersion: "7"}, "scale")
	}, `GET PATH/go/scale?resourceVersion=7`, "PartialObjectMetadata"},
	"patch": {func(ctx context.Context, c metadata.ResourceInterface) (any, error) {
		return c.Patch(ctx, "go", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{FieldManager: "m"})
	}, `PATCH PATH/go?fieldManager=m application/merge-patch+json {}`, "PartialObjectMetadata"},
	"delete": {func(ctx context.Context, c metadata.ResourceInterface) (any, error) {
		return nil, c.Delete(ctx, "go", metav1.DeleteOptions{}, "sub")
	}, `DELETE PATH/go/sub application/json {"kind":"DeleteOptions","apiVersion":"v1"}`, ""},
	"delete of a collection": {func(ctx context.Context, c metadata.ResourceInterface) (any, error) {
		return nil, c.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "a=b"})
	}, `DELETE PATH?labelSelector=a%3Db application/json {"kind":"DeleteOptions","apiVersion":"v1"}`, ""},
}

func acceptOf(kind string) string {
	if kind == "" {
		return "application/vnd.kubernetes.protobuf,application/json"
	}
	as := ";as=" + kind + ";g=meta.k8s.io;v=v1,"
	return "application/vnd.kubernetes.protobuf" + as + "application/json" + as + "application/json"
}

func TestVerbs(t *testing.T) {
	for name, test := range verbs {
		for response, text := range map[string]string{"partial": partialJSON, "whole": bookJSON} {
			t.Run(name+", "+response, func(t *testing.T) {
				s := serve(t, http.StatusOK, text)
				for path, client := range map[string]metadata.ResourceInterface{
					"/apis/library.dev/v1/books":               s.books(t),
					"/apis/library.dev/v1/namespaces/ns/books": s.books(t).Namespace("ns"),
				} {
					got, err := test.call(t.Context(), client)
					if err != nil {
						t.Fatal(err)
					}
					if partial, ok := got.(*metav1.PartialObjectMetadata); got != nil && (!ok || partial.Name != "go" || partial.Kind != "" || partial.Labels["a"] != "b") {
						t.Errorf("got %+v", got)
					}
					last := len(s.requests) - 1
					if want := strings.Replace(test.want, "PATH", path, 1); s.requests[last] != want {
						t.Errorf("request\n%s, want\n%s", s.requests[last], want)
					}
					if want := acceptOf(test.accept); s.accept[last] != want {
						t.Errorf("Accept %s, want %s", s.accept[last], want)
					}
				}
			})
		}
	}
}

func TestErrors(t *testing.T) {
	s := serve(t, http.StatusNotFound, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no go","reason":"NotFound","code":404}`)
	for name, test := range verbs {
		got, err := test.call(t.Context(), s.books(t))
		if partial, _ := got.(*metav1.PartialObjectMetadata); partial != nil || !apierrors.IsNotFound(err) || err.Error() != "no go" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if list, err := s.books(t).List(t.Context(), metav1.ListOptions{}); list != nil || !apierrors.IsNotFound(err) {
		t.Errorf("list: %v, %v", list, err)
	}
	if _, err := s.books(t).Watch(t.Context(), metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("watch: %v", err)
	}
}

// TestInvalid holds that invalid arguments are not sent, and that what is no metadata is an error.
func TestInvalid(t *testing.T) {
	s := serve(t, http.StatusOK, `{"kind":"Book","apiVersion":"library.dev/v1","metadata":{"labels":{}}}`)
	ctx := t.Context()
	if _, err := s.books(t).Get(ctx, "go", metav1.GetOptions{}); err == nil || !strings.Contains(err.Error(), "object does not appear to match the ObjectMeta schema") {
		t.Errorf("no metadata: %v", err)
	}
	s.requests = nil
	for name, err := range map[string]error{
		"get":               second(s.books(t).Get(ctx, "", metav1.GetOptions{})),
		"get of a path":     second(s.books(t).Get(ctx, "a/b", metav1.GetOptions{})),
		"patch":             second(s.books(t).Patch(ctx, "", types.MergePatchType, nil, metav1.PatchOptions{})),
		"delete":            s.books(t).Delete(ctx, "", metav1.DeleteOptions{}),
		"list":              second(s.books(t).Namespace("..").List(ctx, metav1.ListOptions{})),
		"streamed list":     second(s.books(t).Namespace("..").(cache.ListStreamer).StreamList(ctx, metav1.ListOptions{}, nil)),
		"watch":             second(s.books(t).Namespace("..").Watch(ctx, metav1.ListOptions{})),
		"delete collection": s.books(t).Namespace("..").DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if len(s.requests) > 0 {
		t.Errorf("requests %v", s.requests)
	}
}

func second[T any](_ T, err error) error { return err }

func TestLists(t *testing.T) {
	for name, text := range map[string]string{
		"partial": `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[` + partialJSON + `,` + partialJSON + `]}`,
		"whole":   `{"kind":"BookList","apiVersion":"library.dev/v1","metadata":{"resourceVersion":"7"},"items":[` + bookJSON + `,` + bookJSON + `]}`,
		"sorted":  `{"apiVersion":"library.dev/v1","items":[` + bookJSON + `,` + bookJSON + `],"kind":"BookList","metadata":{"resourceVersion":"7"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, http.StatusOK, text)
			c := s.books(t).Namespace("ns")
			list, err := c.List(t.Context(), metav1.ListOptions{Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Items) != 2 || list.Kind != "" || list.ResourceVersion != "7" || list.Items[1].Name != "go" {
				t.Errorf("list %+v", list)
			}
			var names []string
			streamed, err := c.(cache.ListStreamer).StreamList(t.Context(), metav1.ListOptions{Limit: 3}, func(obj runtime.Object) error {
				names = append(names, obj.(*metav1.PartialObjectMetadata).Name)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if rest := streamed.(*metav1.PartialObjectMetadataList); len(rest.Items) > 0 || rest.ResourceVersion != "7" || !slices.Equal(names, []string{"go", "go"}) {
				t.Errorf("streamed %v, and %+v", names, rest)
			}
			for i, request := range s.requests {
				if request != "GET /apis/library.dev/v1/namespaces/ns/books?limit=3" || s.accept[i] != acceptOf("PartialObjectMetadataList") {
					t.Errorf("request %s, accepting %s", request, s.accept[i])
				}
			}
		})
	}
}

func TestWatch(t *testing.T) {
	s := serve(t, http.StatusOK, `{"type":"ADDED","object":`+partialJSON+`}
{"type":"MODIFIED","object":`+bookJSON+`}
{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}
`)
	seconds := int64(30)
	w, err := s.books(t).Watch(t.Context(), metav1.ListOptions{TimeoutSeconds: &seconds})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var got []watch.EventType
	for event := range w.ResultChan() {
		got = append(got, event.Type)
		if event.Type == watch.Error {
			if err := apierrors.FromObject(event.Object); !apierrors.IsResourceExpired(err) {
				t.Errorf("error %v", err)
			}
		} else if partial, ok := event.Object.(*metav1.PartialObjectMetadata); !ok || partial.Name != "go" {
			t.Errorf("%s of %+v", event.Type, event.Object)
		}
	}
	if want := []watch.EventType{watch.Added, watch.Modified, watch.Error}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	if want := "GET /apis/library.dev/v1/books?timeout=30s&timeoutSeconds=30&watch=true"; s.requests[0] != want || s.accept[0] != acceptOf("PartialObjectMetadata") {
		t.Errorf("request %s, accepting %s", s.requests[0], s.accept[0])
	}
}

func TestConfigs(t *testing.T) {
	given := &rest.Config{Host: "https://example.com"}
	got := metadata.ConfigFor(given)
	if got.ContentType != "application/vnd.kubernetes.protobuf" || got.AcceptContentTypes != acceptOf("") || got.UserAgent == "" || got.NegotiatedSerializer == nil {
		t.Errorf("config %v", got)
	}
	if given.ContentType != "" || given.UserAgent != "" {
		t.Errorf("the given config was modified: %v", given)
	}
	if client := metadata.NewForConfigOrDie(given); client == nil {
		t.Error("no client")
	}
	broken := &rest.Config{Host: "https://example.com", TLSClientConfig: rest.TLSClientConfig{CAFile: "does/not/exist"}}
	if _, err := metadata.NewForConfig(broken); err == nil {
		t.Error("no error for a missing file")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a missing file")
		}
	}()
	metadata.NewForConfigOrDie(broken)
}
