package gentype_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
)

// call calls a method of a client. It reports whether the client has the method.
type call func(c any) (result any, err error, has bool)

// on returns a call of a method of V.
func on[V any](f func(V) (any, error)) call {
	return func(c any) (any, error, bool) {
		v, has := c.(V)
		if !has {
			return nil, nil, false
		}
		result, err := f(v)
		return result, err, true
	}
}

// calls returns calls of all verbs.
func calls(ctx context.Context) map[string]call {
	one := &object{ObjectMeta: metav1.ObjectMeta{Name: "one"}}
	one.SetGroupVersionKind(version.WithKind("Thing"))
	applied := &configuration{APIVersion: "example.com/v1", Kind: "Thing", Metadata: map[string]string{"name": "one"}}
	all := metav1.ListOptions{LabelSelector: "a=b", Limit: 3}
	return map[string]call{
		"create": on(func(c gentype.Creator[*object]) (any, error) {
			return c.Create(ctx, one, metav1.CreateOptions{FieldManager: "me"})
		}),
		"update": on(func(c gentype.Updater[*object]) (any, error) {
			return c.Update(ctx, one, metav1.UpdateOptions{FieldManager: "me"})
		}),
		"update status": on(func(c gentype.StatusUpdater[*object]) (any, error) {
			return c.UpdateStatus(ctx, one, metav1.UpdateOptions{FieldManager: "me"})
		}),
		"delete": on(func(c gentype.Deleter) (any, error) {
			return nil, c.Delete(ctx, "one", metav1.DeleteOptions{DryRun: []string{"All"}})
		}),
		"delete collection": on(func(c gentype.CollectionDeleter) (any, error) {
			return nil, c.DeleteCollection(ctx, metav1.DeleteOptions{DryRun: []string{"All"}}, all)
		}),
		"get": on(func(c gentype.Getter[*object]) (any, error) {
			return c.Get(ctx, "one", metav1.GetOptions{ResourceVersion: "5"})
		}),
		"list": on(func(c gentype.Lister[*objectList]) (any, error) { return c.List(ctx, all) }),
		"stream list": on(func(c gentype.ListStreamer) (any, error) {
			var objects []any
			rest, err := c.StreamList(ctx, all, func(o runtime.Object) error {
				objects = append(objects, o)
				return nil
			})
			return append(objects, rest), err
		}),
		"watch": on(func(c gentype.Watcher) (any, error) {
			w, err := c.Watch(ctx, all)
			if err != nil {
				return nil, err
			}
			defer w.Stop()
			return <-w.ResultChan(), nil
		}),
		"patch": on(func(c gentype.Patcher[*object]) (any, error) {
			return c.Patch(ctx, "one", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{FieldManager: "me"}, "a", "b")
		}),
		"apply": on(func(c gentype.Applier[*object, *configuration]) (any, error) {
			return c.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "me", Force: true})
		}),
		"apply status": on(func(c gentype.StatusApplier[*object, *configuration]) (any, error) {
			return c.ApplyStatus(ctx, applied, metav1.ApplyOptions{FieldManager: "me", Force: true})
		}),
		"apply nothing": on(func(c gentype.Applier[*object, *configuration]) (any, error) {
			return c.Apply(ctx, nil, metav1.ApplyOptions{})
		}),
		"request": on(func(c gentype.Endpoint) (any, error) {
			result := &object{}
			return result, gentype.NewObjectRequest(c, http.MethodGet, "one", &metav1.GetOptions{}, "scale").DoInto(ctx, result)
		}),
	}
}

// constructors are those for generated code, and the verbs that their clients lack.
var constructors = map[string]struct {
	create func(c rest.Interface, namespace string, preferred ...gentype.ContentType) any
	lacks  []string
}{
	"For": {func(c rest.Interface, namespace string, preferred ...gentype.ContentType) any {
		return gentype.For[*object, *objectList](c, params, "things", namespace, preferred...)
	}, []string{"apply", "apply nothing", "apply status"}},
	"ForApply": {func(c rest.Interface, namespace string, preferred ...gentype.ContentType) any {
		return gentype.ForApply[*object, *objectList, *configuration](c, params, "things", namespace, preferred...)
	}, nil},
	"ForObject": {func(c rest.Interface, namespace string, preferred ...gentype.ContentType) any {
		return gentype.ForObject[*object](c, params, "things", namespace, preferred...)
	}, []string{"apply", "apply nothing", "apply status", "delete collection", "list", "stream list"}},
	"ForObjectApply": {func(c rest.Interface, namespace string, preferred ...gentype.ContentType) any {
		return gentype.ForObjectApply[*object, *configuration](c, params, "things", namespace, preferred...)
	}, []string{"delete collection", "list", "stream list"}},
}

// TestFor compares the clients of generated code with clients whose functions are given, verb by
// verb: what they send, and what they make of good and bad responses. TestRequests and others
// check those.
func TestFor(t *testing.T) {
	notFound := `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
	for name, constructor := range constructors {
		for _, namespace := range []string{"here", ""} {
			for _, answer := range []struct {
				status int
				text   string
			}{
				{http.StatusOK, thing},
				{http.StatusOK, list(2)},
				{http.StatusOK, `{"type":"ADDED","object":` + thing + `}` + "\n"},
				{http.StatusOK, `{"kind":`},
				{http.StatusNotFound, notFound},
			} {
				reference, want := client(t, namespace, answer.text)
				want.status = answer.status
				c := constructor.create(reference.GetClient(), namespace)
				var lacks []string
				for verb, call := range calls(t.Context()) {
					result, err, has := call(c)
					if !has {
						lacks = append(lacks, verb)
						continue
					}
					got := *want
					wantResult, wantErr, _ := call(reference)
					if got != *want {
						t.Errorf("%s: %s sends %+v, want %+v", name, verb, got, *want)
					}
					if d := cmp.Diff(wantResult, result); d != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Errorf("%s: %s on %s returns %v, want %v: %s", name, verb, answer.text, err, wantErr, d)
					}
				}
				slices.Sort(lacks)
				if !slices.Equal(lacks, constructor.lacks) {
					t.Errorf("%s: lacks %q, want %q", name, lacks, constructor.lacks)
				}
			}
		}
	}
}

// TestForResults checks that each call returns a new object.
func TestForResults(t *testing.T) {
	reference, _ := client(t, "here", thing)
	for name, constructor := range constructors {
		c := constructor.create(reference.GetClient(), "here").(gentype.Getter[*object])
		first, err := c.Get(t.Context(), "one", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.Get(t.Context(), "one", metav1.GetOptions{})
		if err != nil || first == second {
			t.Errorf("%s: got %p, then %p, %v", name, first, second, err)
		}
	}
}

// TestForProtobuf checks which content types clients request, and what they are bound to.
func TestForProtobuf(t *testing.T) {
	accept := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accept = r.Header.Get("Accept")
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, thing)
	}))
	defer server.Close()
	group, err := gentype.NewGroup(version, "/apis", scheme, codecs).RESTClient(&rest.Config{Host: server.URL}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(constructors)) {
		for _, x := range []struct {
			preferred []gentype.ContentType
			accept    string
		}{
			{nil, "application/json, */*"},
			{[]gentype.ContentType{gentype.Protobuf}, "application/vnd.kubernetes.protobuf,application/json"},
		} {
			c := constructors[name].create(group, "here", x.preferred...).(interface {
				gentype.Getter[*object]
				GetClient() rest.Interface
				GetNamespace() string
			})
			if _, err := c.Get(t.Context(), "one", metav1.GetOptions{}); err != nil || accept != x.accept {
				t.Errorf("%s: accepts %q, want %q; %v", name, accept, x.accept, err)
			}
			if c.GetClient() != group || c.GetNamespace() != "here" {
				t.Errorf("%s: client of %v in %q", name, c.GetClient(), c.GetNamespace())
			}
		}
	}
}
