package dynamic_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}
	nodes = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
)

const bookJSON = `{"apiVersion":"library.dev/v1","kind":"Book","metadata":{"name":"go"},"spec":{"pages":380,"price":1.5}}`

// server responds to all requests with the same text, and records them.
type server struct {
	*httptest.Server
	requests []string // method, URI, content type and body
}

func serve(t *testing.T, status int, response string) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.requests = append(s.requests, strings.TrimSpace(strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("Content-Type"), string(body)}, " ")))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, response)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(t *testing.T) *dynamic.DynamicClient {
	t.Helper()
	client, err := dynamic.NewForConfigAndClient(&rest.Config{Host: s.URL, APIPath: "/elsewhere"}, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func book() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "library.dev/v1", "kind": "Book",
		"metadata": map[string]any{"name": "go"},
		"spec":     map[string]any{"pages": int64(380), "price": 1.5},
	}}
}

// verbs calls a verb each, and returns an object if the verb does.
var verbs = map[string]struct {
	call func(ctx context.Context, c dynamic.ResourceInterface) (any, error)
	want string // the request, with PATH for the path of the resource
}{
	"create": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Create(ctx, book(), metav1.CreateOptions{FieldManager: "m"})
	}, `POST PATH?fieldManager=m application/json ` + bookJSON},
	"create of a subresource": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Create(ctx, book(), metav1.CreateOptions{}, "a", "b")
	}, `POST PATH/go/a/b application/json ` + bookJSON},
	"update": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Update(ctx, book(), metav1.UpdateOptions{DryRun: []string{"All"}})
	}, `PUT PATH/go?dryRun=All application/json ` + bookJSON},
	"update of the status": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.UpdateStatus(ctx, book(), metav1.UpdateOptions{})
	}, `PUT PATH/go/status application/json ` + bookJSON},
	"get": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Get(ctx, "go", metav1.GetOptions{ResourceVersion: "7"})
	}, `GET PATH/go?resourceVersion=7`},
	"get of a subresource": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Get(ctx, "go", metav1.GetOptions{}, "scale")
	}, `GET PATH/go/scale`},
	"delete": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return nil, c.Delete(ctx, "go", metav1.DeleteOptions{})
	}, `DELETE PATH/go application/json {"kind":"DeleteOptions","apiVersion":"v1"}`},
	"delete of a collection": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return nil, c.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "a=b"})
	}, `DELETE PATH?labelSelector=a%3Db application/json {"kind":"DeleteOptions","apiVersion":"v1"}`},
	"patch": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Patch(ctx, "go", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
	}, `PATCH PATH/go application/merge-patch+json {}`},
	"apply": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.Apply(ctx, "go", book(), metav1.ApplyOptions{FieldManager: "m", Force: true})
	}, `PATCH PATH/go?fieldManager=m&force=true application/apply-patch+yaml ` + bookJSON},
	"apply of the status": {func(ctx context.Context, c dynamic.ResourceInterface) (any, error) {
		return c.ApplyStatus(ctx, "go", book(), metav1.ApplyOptions{FieldManager: "m"})
	}, `PATCH PATH/go/status?fieldManager=m&force=false application/apply-patch+yaml ` + bookJSON},
}

func TestVerbs(t *testing.T) {
	for name, test := range verbs {
		t.Run(name, func(t *testing.T) {
			s := serve(t, http.StatusOK, bookJSON)
			for _, scope := range []struct {
				client dynamic.ResourceInterface
				path   string
			}{
				{s.client(t).Resource(books), "/apis/library.dev/v1/books"},
				{s.client(t).Resource(books).Namespace("ns"), "/apis/library.dev/v1/namespaces/ns/books"},
				{s.client(t).Resource(nodes), "/api/v1/nodes"},
			} {
				got, err := test.call(t.Context(), scope.client)
				if err != nil {
					t.Fatal(err)
				}
				if obj, ok := got.(*unstructured.Unstructured); got != nil && (!ok || obj.GetKind() != "Book" || obj.Object["spec"].(map[string]any)["pages"] != int64(380)) {
					t.Errorf("got %+v", got)
				}
				want := strings.Replace(test.want, "PATH", scope.path, 1)
				if last := s.requests[len(s.requests)-1]; last != want {
					t.Errorf("request\n%s, want\n%s", last, want)
				}
			}
		})
	}
}

// TestErrors holds that an error of the server is one of apimachinery, and comes without an object.
func TestErrors(t *testing.T) {
	s := serve(t, http.StatusNotFound, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no go","reason":"NotFound","code":404}`)
	for name, test := range verbs {
		got, err := test.call(t.Context(), s.client(t).Resource(books))
		if obj, _ := got.(*unstructured.Unstructured); obj != nil || !apierrors.IsNotFound(err) || err.Error() != "no go" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := s.client(t).Resource(books).List(t.Context(), metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("list: %v", err)
	}
	if _, err := s.client(t).Resource(books).Watch(t.Context(), metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("watch: %v", err)
	}
}

// TestInvalid holds that invalid arguments are not sent.
func TestInvalid(t *testing.T) {
	s := serve(t, http.StatusOK, bookJSON)
	c := s.client(t).Resource(books)
	nameless := &unstructured.Unstructured{Object: map[string]any{"kind": "Book"}}
	managed := book()
	managed.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: "m"}})
	ctx := t.Context()
	_, create := c.Create(ctx, nameless, metav1.CreateOptions{}, "status")
	_, update := c.Update(ctx, nameless, metav1.UpdateOptions{})
	_, get := c.Get(ctx, "", metav1.GetOptions{})
	_, slash := c.Get(ctx, "a/b", metav1.GetOptions{})
	_, namespace := c.Namespace("..").List(ctx, metav1.ListOptions{})
	_, watching := c.Namespace("..").Watch(ctx, metav1.ListOptions{})
	_, streaming := c.Namespace("..").(cache.ListStreamer).StreamList(ctx, metav1.ListOptions{}, nil)
	_, apply := c.Apply(ctx, "go", managed, metav1.ApplyOptions{})
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"create":         {create, "name is required"},
		"update":         {update, "name is required"},
		"get":            {get, "name is required"},
		"delete":         {c.Delete(ctx, "", metav1.DeleteOptions{}), "name is required"},
		"name":           {slash, `invalid resource name "a/b": [may not contain '/']`},
		"namespace":      {namespace, `invalid namespace "..": [may not be '..']`},
		"watch":          {watching, `invalid namespace "..": [may not be '..']`},
		"stream":         {streaming, `invalid namespace "..": [may not be '..']`},
		"managed fields": {apply, "cannot apply an object with managed fields already set"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, test.err, test.want)
		}
	}
	if len(s.requests) > 0 {
		t.Errorf("requests %v", s.requests)
	}
}

func TestLists(t *testing.T) {
	s := serve(t, http.StatusOK, `{"apiVersion":"library.dev/v1","items":[`+bookJSON+`,`+bookJSON+`],"kind":"BookList","metadata":{"resourceVersion":"7"}}`)
	c := s.client(t).Resource(books).Namespace("ns")
	list, err := c.List(t.Context(), metav1.ListOptions{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 2 || list.GetKind() != "BookList" || list.GetResourceVersion() != "7" || list.Items[1].GetName() != "go" {
		t.Errorf("list %+v", list)
	}
	var names []string
	streamed, err := c.(cache.ListStreamer).StreamList(t.Context(), metav1.ListOptions{Limit: 3}, func(obj runtime.Object) error {
		names = append(names, obj.(*unstructured.Unstructured).GetName())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rest := streamed.(*unstructured.UnstructuredList); len(rest.Items) > 0 || rest.GetResourceVersion() != "7" || !slices.Equal(names, []string{"go", "go"}) {
		t.Errorf("streamed %v, and %+v", names, rest)
	}
	failure := errors.New("enough")
	if _, err := c.(cache.ListStreamer).StreamList(t.Context(), metav1.ListOptions{}, func(runtime.Object) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("error %v, want the caller's", err)
	}
	if want := "GET /apis/library.dev/v1/namespaces/ns/books?limit=3"; s.requests[0] != want || s.requests[1] != want {
		t.Errorf("requests %v, want %s", s.requests, want)
	}
}

// TestNoList holds that a Status in place of a list is no empty list to informers.
func TestNoList(t *testing.T) {
	s := serve(t, http.StatusOK, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}`)
	streamer := s.client(t).Resource(books).(cache.ListStreamer)
	if list, err := streamer.StreamList(t.Context(), metav1.ListOptions{}, nil); err == nil {
		t.Errorf("got %v", list)
	}
}

func TestWatch(t *testing.T) {
	s := serve(t, http.StatusOK, `{"type":"ADDED","object":`+bookJSON+`}
{"type":"BOOKMARK","object":{"apiVersion":"library.dev/v1","kind":"Book","metadata":{"resourceVersion":"8"}}}
{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}
`)
	w, err := s.client(t).Resource(books).Watch(t.Context(), metav1.ListOptions{ResourceVersion: "7"})
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
		} else if u, ok := event.Object.(*unstructured.Unstructured); !ok || u.GetKind() != "Book" {
			t.Errorf("%s of %+v", event.Type, event.Object)
		}
	}
	if want := []watch.EventType{watch.Added, watch.Bookmark, watch.Error}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	if want := "GET /apis/library.dev/v1/books?resourceVersion=7&watch=true"; s.requests[0] != want {
		t.Errorf("request %s, want %s", s.requests[0], want)
	}
}

func TestConfigs(t *testing.T) {
	given := &rest.Config{Host: "https://example.com", ContentConfig: rest.ContentConfig{ContentType: "application/yaml"}}
	got := dynamic.ConfigFor(given)
	if got.ContentType != "application/json" || got.AcceptContentTypes != "application/json" || got.UserAgent == "" || got.NegotiatedSerializer == nil {
		t.Errorf("config %v", got)
	}
	if given.ContentType != "application/yaml" || given.UserAgent != "" {
		t.Errorf("the given config was modified: %v", given)
	}
	if _, err := dynamic.NewForConfig(given); err != nil {
		t.Error(err)
	}
	broken := &rest.Config{Host: "https://example.com", TLSClientConfig: rest.TLSClientConfig{CAFile: "does/not/exist"}}
	if _, err := dynamic.NewForConfig(broken); err == nil {
		t.Error("no error for a missing file")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a missing file")
		}
	}()
	dynamic.NewForConfigOrDie(broken)
}

func TestLegacyAPIPathResolverFunc(t *testing.T) {
	if got := dynamic.LegacyAPIPathResolverFunc(schema.GroupVersionKind{Kind: "Pod"}); got != "/api" {
		t.Errorf("core: %s", got)
	}
	if got := dynamic.LegacyAPIPathResolverFunc(schema.GroupVersionKind{Group: "apps", Kind: "Deployment"}); got != "/apis" {
		t.Errorf("apps: %s", got)
	}
}
