package gentype_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	_ "github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The tests' kind has metadata only.
type (
	object        = metav1.PartialObjectMetadata
	objectList    = metav1.PartialObjectMetadataList
	configuration struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Metadata   map[string]string `json:"metadata"`
	}
)

func (c *configuration) GetName() *string {
	if name, ok := c.Metadata["name"]; ok {
		return &name
	}
	return nil
}

var (
	version = schema.GroupVersion{Group: "example.com", Version: "v1"}
	scheme  = newScheme()
	codecs  = serializer.NewCodecFactory(scheme)
	params  = runtime.NewParameterCodec(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	s.AddKnownTypeWithName(version.WithKind("Thing"), &object{})
	s.AddKnownTypeWithName(version.WithKind("ThingList"), &objectList{})
	metav1.AddToGroupVersion(s, version)
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return s
}

// exchange is a request that the server received, and its response.
type exchange struct {
	Method, URI, ContentType, Body string

	status      int
	contentType string
	answer      string
}

func (x *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	x.Method, x.URI, x.ContentType, x.Body = r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), string(body)
	w.Header().Set("Content-Type", x.contentType)
	w.WriteHeader(x.status)
	fmt.Fprint(w, x.answer)
}

// client returns the client of things in a namespace, whose server sends the same response to every
// request, and the last exchange.
func client(t *testing.T, namespace, answer string) (*gentype.ClientWithListAndApply[*object, *objectList, *configuration], *exchange) {
	t.Helper()
	x := &exchange{status: http.StatusOK, contentType: "application/json", answer: answer}
	server := httptest.NewServer(x)
	t.Cleanup(server.Close)
	c, err := gentype.NewGroup(version, "/apis", scheme, codecs).RESTClient(&rest.Config{Host: server.URL}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	return gentype.NewClientWithListAndApply[*object, *objectList, *configuration]("things", c, params, namespace,
		func() *object { return &object{} }, func() *objectList { return &objectList{} }), x
}

const thing = `{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"one","namespace":"here","resourceVersion":"7"}}`

// TestRequests checks the request of each method and what the method returns from the response.
func TestRequests(t *testing.T) {
	ctx := context.Background()
	one := &object{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	one.SetGroupVersionKind(version.WithKind("Thing"))
	sent := `{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"one"}}` + "\n"
	applied := &configuration{APIVersion: "example.com/v1", Kind: "Thing", Metadata: map[string]string{"name": "one"}}
	appliedSent := `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"one"}}`
	seconds := int64(30)

	type things = *gentype.ClientWithListAndApply[*object, *objectList, *configuration]
	for name, c := range map[string]struct {
		call func(things) (*object, error)
		want exchange
	}{
		"get": {
			func(c things) (*object, error) {
				return c.Get(ctx, "one", metav1.GetOptions{ResourceVersion: "5"})
			},
			exchange{Method: "GET", URI: "/apis/example.com/v1/namespaces/here/things/one?resourceVersion=5"},
		},
		"create": {
			func(c things) (*object, error) {
				return c.Create(ctx, one, metav1.CreateOptions{DryRun: []string{"All"}})
			},
			exchange{Method: "POST", URI: "/apis/example.com/v1/namespaces/here/things?dryRun=All", ContentType: "application/json", Body: sent},
		},
		"update": {
			func(c things) (*object, error) {
				return c.Update(ctx, one, metav1.UpdateOptions{FieldManager: "me"})
			},
			exchange{Method: "PUT", URI: "/apis/example.com/v1/namespaces/here/things/one?fieldManager=me", ContentType: "application/json", Body: sent},
		},
		"update status": {
			func(c things) (*object, error) { return c.UpdateStatus(ctx, one, metav1.UpdateOptions{}) },
			exchange{Method: "PUT", URI: "/apis/example.com/v1/namespaces/here/things/one/status", ContentType: "application/json", Body: sent},
		},
		"patch": {
			func(c things) (*object, error) {
				return c.Patch(ctx, "one", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}, "a", "b")
			},
			exchange{Method: "PATCH", URI: "/apis/example.com/v1/namespaces/here/things/one/a/b", ContentType: string(types.MergePatchType), Body: `{}`},
		},
		"apply": {
			func(c things) (*object, error) {
				return c.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "me", Force: true})
			},
			exchange{Method: "PATCH", URI: "/apis/example.com/v1/namespaces/here/things/one?fieldManager=me&force=true", ContentType: string(types.ApplyYAMLPatchType), Body: appliedSent},
		},
		"apply status": {
			func(c things) (*object, error) {
				return c.ApplyStatus(ctx, applied, metav1.ApplyOptions{FieldManager: "me"})
			},
			exchange{Method: "PATCH", URI: "/apis/example.com/v1/namespaces/here/things/one/status?fieldManager=me&force=false", ContentType: string(types.ApplyYAMLPatchType), Body: appliedSent},
		},
		"apply to another name": {
			func(c things) (*object, error) {
				return gentype.ApplyTo(ctx, c, "two", applied, metav1.ApplyOptions{}, &object{}, "scale")
			},
			exchange{Method: "PATCH", URI: "/apis/example.com/v1/namespaces/here/things/two/scale?force=false", ContentType: string(types.ApplyYAMLPatchType), Body: appliedSent},
		},
		"a method of one's own on a subresource": {
			func(c things) (*object, error) {
				result := &object{}
				opts := metav1.CreateOptions{FieldManager: "me"}
				return result, gentype.NewObjectRequest(c, http.MethodPost, "one", &opts, "binding").Body(one).DoInto(ctx, result)
			},
			exchange{Method: "POST", URI: "/apis/example.com/v1/namespaces/here/things/one/binding?fieldManager=me", ContentType: "application/json", Body: sent},
		},
		"a method of one's own on all": {
			func(c things) (*object, error) {
				result := &object{}
				return result, gentype.NewRequest(c, http.MethodGet, &metav1.ListOptions{TimeoutSeconds: &seconds}).DoInto(ctx, result)
			},
			exchange{Method: "GET", URI: "/apis/example.com/v1/namespaces/here/things?timeout=30s&timeoutSeconds=30"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c2, got := client(t, "here", thing)
			result, err := c.call(c2)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, *got, cmp.FilterPath(unexported, cmp.Ignore()), cmp.AllowUnexported(exchange{})); d != "" {
				t.Error(d)
			}
			want := &object{ObjectMeta: metav1.ObjectMeta{Name: "one", Namespace: "here", ResourceVersion: "7"}}
			if d := cmp.Diff(want, result); d != "" {
				t.Error(d)
			}
		})
	}
}

func unexported(p cmp.Path) bool {
	field, ok := p.Last().(cmp.StructField)
	return ok && !token.IsExported(field.Name())
}

// TestCollections checks the requests of the methods on many objects.
func TestCollections(t *testing.T) {
	ctx := context.Background()
	seconds := int64(30)
	opts := metav1.ListOptions{LabelSelector: "a=b", TimeoutSeconds: &seconds}

	c, got := client(t, "", `{"kind":"Status","apiVersion":"v1","status":"Success"}`)
	if err := c.Delete(ctx, "one", metav1.DeleteOptions{DryRun: []string{"All"}}); err != nil {
		t.Error(err)
	}
	if got.Method != http.MethodDelete || got.URI != "/apis/example.com/v1/things/one" || !strings.Contains(got.Body, `"dryRun":["All"]`) {
		t.Errorf("delete sends %+v", got)
	}
	if err := c.DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{"All"}}, opts); err != nil {
		t.Error(err)
	}
	if got.Method != http.MethodDelete || got.URI != "/apis/example.com/v1/things?labelSelector=a%3Db&timeout=30s&timeoutSeconds=30" || !strings.Contains(got.Body, `"dryRun":["All"]`) {
		t.Errorf("deletecollection sends %+v", got)
	}

	c, got = client(t, "", `{"type":"ADDED","object":`+thing+`}`+"\n")
	w, err := c.Watch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	event, ok := <-w.ResultChan()
	w.Stop()
	added, isObject := event.Object.(*object)
	if !ok || event.Type != watch.Added || !isObject || added.Name != "one" {
		t.Errorf("watch delivers %+v", event)
	}
	if got.Method != http.MethodGet || got.URI != "/apis/example.com/v1/things?labelSelector=a%3Db&timeout=30s&timeoutSeconds=30&watch=true" {
		t.Errorf("watch sends %+v", got)
	}
}

// list returns a list of n things in JSON.
func list(n int) string {
	var items []string
	for i := range n {
		items = append(items, fmt.Sprintf(`{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"t%d"}}`, i))
	}
	return `{"kind":"ThingList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"9","continue":"more"},"items":[` + strings.Join(items, ",") + `]}`
}

// TestList checks that a list and a streamed list have the same objects, and that TypeMeta is
// cleared and set where it should be.
func TestList(t *testing.T) {
	ctx := context.Background()
	c, got := client(t, "here", list(3))
	all, err := c.List(ctx, metav1.ListOptions{Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got.URI != "/apis/example.com/v1/namespaces/here/things?limit=3" {
		t.Errorf("list sends %s", got.URI)
	}
	if all.ResourceVersion != "9" || all.Continue != "more" || all.Kind != "" || len(all.Items) != 3 {
		t.Fatalf("got %+v", all)
	}
	if item := all.Items[2]; item.Name != "t2" || item.Kind != "Thing" {
		t.Errorf("got item %+v", item)
	}

	var streamer gentype.ListStreamer = c
	var items []object
	rest, err := streamer.StreamList(ctx, metav1.ListOptions{Limit: 3}, func(o runtime.Object) error {
		items = append(items, *o.(*object))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(all.Items, items); d != "" {
		t.Error(d)
	}
	all.Items = nil
	if d := cmp.Diff(runtime.Object(all), rest); d != "" {
		t.Error(d)
	}
}

// TestStreamTolerates checks that a streamed list continues after an object that cannot be decoded,
// if the context allows it.
func TestStreamTolerates(t *testing.T) {
	c, _ := client(t, "here", strings.Replace(list(3), `{"name":"t1"}`, `{"name":"t1","labels":7}`, 1))
	var got []string
	each := func(o runtime.Object) error {
		got = append(got, fmt.Sprintf("%T %s", o, o.(metav1.Object).GetName()))
		return nil
	}
	_, err := c.StreamList(codec.WithUndecodable(t.Context()), metav1.ListOptions{}, each)
	if want := []string{"*v1.PartialObjectMetadata t0", "*codec.Undecodable t1", "*v1.PartialObjectMetadata t2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := c.StreamList(t.Context(), metav1.ListOptions{}, each); err == nil {
		t.Error("no error without")
	}
}

// TestStreamStops checks that an error of the receiver ends a streamed list.
func TestStreamStops(t *testing.T) {
	c, _ := client(t, "here", list(100))
	enough := errors.New("enough")
	seen := 0
	_, err := c.StreamList(context.Background(), metav1.ListOptions{}, func(runtime.Object) error {
		if seen++; seen == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || seen != 3 {
		t.Errorf("after %d objects: %v", seen, err)
	}
}

// TestNothingToSend checks that mistakes are detected before a request is sent.
func TestNothingToSend(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		call func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error
		want error
	}{
		"no configuration": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			result, err := c.Apply(ctx, nil, metav1.ApplyOptions{})
			if result != nil {
				t.Errorf("returned %v", result)
			}
			return err
		}, gentype.ErrNoConfiguration},
		"no name": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			_, err := c.ApplyStatus(ctx, &configuration{}, metav1.ApplyOptions{})
			return err
		}, gentype.ErrNoName},
		"no configuration for a name": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			_, err := gentype.ApplyTo[*configuration](ctx, c, "one", nil, metav1.ApplyOptions{}, &object{})
			return err
		}, gentype.ErrNoConfiguration},
		"get without a name": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			_, err := c.Get(ctx, "", metav1.GetOptions{})
			return err
		}, nil},
		"update without a name": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			_, err := c.Update(ctx, &object{}, metav1.UpdateOptions{})
			return err
		}, nil},
		"delete without a name": {func(c *gentype.ClientWithListAndApply[*object, *objectList, *configuration]) error {
			return c.Delete(ctx, "", metav1.DeleteOptions{})
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			things, got := client(t, "here", thing)
			err := c.call(things)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if got.Method != "" {
				t.Errorf("sent %+v", got)
			}
		})
	}
}

// TestServerErrors checks that the server's errors are returned to the caller.
func TestServerErrors(t *testing.T) {
	ctx := context.Background()
	c, got := client(t, "here", "")
	status := apierrors.NewNotFound(schema.GroupResource{Group: "example.com", Resource: "things"}, "one").Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	got.status, got.answer = http.StatusNotFound, string(body)
	for name, call := range map[string]func() error{
		"get":    func() error { _, err := c.Get(ctx, "one", metav1.GetOptions{}); return err },
		"list":   func() error { _, err := c.List(ctx, metav1.ListOptions{}); return err },
		"watch":  func() error { _, err := c.Watch(ctx, metav1.ListOptions{}); return err },
		"delete": func() error { return c.Delete(ctx, "one", metav1.DeleteOptions{}) },
		"stream": func() error {
			_, err := c.StreamList(ctx, metav1.ListOptions{}, func(runtime.Object) error { return nil })
			return err
		},
	} {
		if err := call(); !apierrors.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDeletedByNobody checks that a proxy's page does not count as a successful deletion.
func TestDeletedByNobody(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		contentType, body string
		fails             bool
	}{
		"page":   {"text/html; charset=utf-8", "<html>Log in</html>", true},
		"status": {"application/json", `{"kind":"Status","apiVersion":"v1","status":"Success"}`, false},
		"object": {"application/json", thing, false},
		"empty":  {"text/plain", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			things, got := client(t, "here", c.body)
			got.contentType = c.contentType
			for call, err := range map[string]error{
				"delete":           things.Delete(ctx, "one", metav1.DeleteOptions{}),
				"deletecollection": things.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}),
			} {
				var wrong *rest.ContentTypeError
				if fails := errors.As(err, &wrong); fails != c.fails || !fails && err != nil {
					t.Errorf("%s: %v", call, err)
				}
			}
		})
	}
}

// TestGroup checks that a client of a group does not modify the config, and belongs to the group.
func TestGroup(t *testing.T) {
	config := &rest.Config{Host: "http://example.com", APIPath: "/mine", QPS: 5}
	before := *config
	c, err := gentype.NewGroup(version, "/apis", scheme, codecs).RESTClient(config, http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	if c.APIVersion() != version {
		t.Errorf("client of %s", c.APIVersion())
	}
	if config.APIPath != before.APIPath || config.GroupVersion != nil || config.NegotiatedSerializer != nil || config.UserAgent != "" {
		t.Errorf("config has changed: %v", config)
	}

	for name, want := range map[string]string{"example.com": "example.com/v1", "unknown.example.com": ""} {
		known, knownErr := gentype.InternalGroup(name, "/apis", scheme, codecs).RESTClient(config, http.DefaultClient)
		if want == "" {
			if knownErr == nil || !strings.Contains(knownErr.Error(), name) {
				t.Errorf("%s: %v", name, knownErr)
			}
			continue
		}
		if knownErr != nil || known.APIVersion().String() != want {
			t.Errorf("%s: client of %v: %v", name, c, err)
		}
	}
	config.GroupVersion = &schema.GroupVersion{Group: "example.com", Version: "v9"}
	c, err = gentype.InternalGroup("example.com", "/apis", scheme, codecs).RESTClient(config, http.DefaultClient)
	if err != nil || c.APIVersion().Version != "v9" {
		t.Errorf("client of %v: %v", c, err)
	}
}

// TestShared checks what the clients of a clientset share, and when.
func TestShared(t *testing.T) {
	for name, c := range map[string]struct {
		config  rest.Config
		limited bool
		err     string
	}{
		"no limit":             {config: rest.Config{}},
		"a limit":              {config: rest.Config{QPS: 5, Burst: 10}, limited: true},
		"a rate without burst": {config: rest.Config{QPS: 5}, err: "burst above 0"},
		"none wanted":          {config: rest.Config{QPS: -1}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := gentype.SharedRateLimiter(&c.config)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if limited := got.RateLimiter != nil; limited != c.limited || c.config.RateLimiter != nil {
				t.Errorf("limited: %v", limited)
			}
		})
	}
	given := &rest.Config{Host: "http://example.com"}
	config, err := gentype.ForConfig(given, func(config *rest.Config, httpClient *http.Client) (*rest.Config, error) {
		if httpClient == nil {
			t.Error("no HTTP client")
		}
		return config, nil
	})
	if err != nil || config.UserAgent == "" || given.UserAgent != "" {
		t.Errorf("got %v: %v", config, err)
	}
	failed := errors.New("no")
	if _, err = gentype.ForConfig(given, func(*rest.Config, *http.Client) (*rest.Config, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	given.TLSClientConfig = rest.TLSClientConfig{CAFile: "no-such-file"}
	if config, err = gentype.ForConfig(given, func(config *rest.Config, _ *http.Client) (*rest.Config, error) { return config, nil }); err == nil || config != nil {
		t.Errorf("got %v, %v", config, err)
	}
}

// TestForGroup creates clients of a group, or returns the error of its REST client.
func TestForGroup(t *testing.T) {
	group := gentype.NewGroup(version, "/apis", scheme, codecs)
	create := func(c rest.Interface) *rest.Interface { return &c }
	c, err := gentype.ForGroup(group, &rest.Config{Host: "http://example.com"}, http.DefaultClient, create)
	if err != nil || (*c).APIVersion() != version {
		t.Errorf("got %v, %v", c, err)
	}
	if c, err = gentype.ForGroup(group, &rest.Config{Host: "no host\n"}, http.DefaultClient, create); err == nil || c != nil {
		t.Errorf("got %v, %v", c, err)
	}
}

// TestProtobuf checks that a client that prefers protobuf requests it.
func TestProtobuf(t *testing.T) {
	var accept []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accept = append(accept, r.Header.Get("Accept"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, thing)
	}))
	defer server.Close()
	c, err := gentype.NewGroup(version, "/apis", scheme, codecs).RESTClient(&rest.Config{Host: server.URL}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	newObject := func() *object { return &object{} }
	for _, client := range []*gentype.Client[*object]{
		gentype.NewClient("things", c, params, "", newObject),
		gentype.NewClient("things", c, params, "", newObject, gentype.PrefersProtobuf[*object]()),
	} {
		if _, err := client.Get(context.Background(), "one", metav1.GetOptions{}); err != nil {
			t.Fatal(err)
		}
		if client.GetClient() != c || client.GetNamespace() != "" {
			t.Error("the client does not match its arguments")
		}
	}
	if !slices.Equal(accept, []string{"application/json, */*", "application/vnd.kubernetes.protobuf,application/json"}) {
		t.Errorf("accepts %q", accept)
	}
}
