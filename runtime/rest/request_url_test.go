package rest_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// clientAt returns a client of a server that need not exist.
func clientAt(t testing.TB, base string) *rest.RESTClient {
	t.Helper()
	c, err := rest.NewRESTClient(mustParse(t, base), "/apis/test.dev/v1", rest.ClientContentConfig{
		GroupVersion: gadgets,
		Negotiator:   runtime.NewClientNegotiator(streaming, gadgets),
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestURL(t *testing.T) {
	type set = func(*rest.Request) *rest.Request
	for _, test := range []struct {
		name string
		base string // https://host if empty
		set  set
		want string
	}{
		{"nothing", "", func(r *rest.Request) *rest.Request { return r }, "https://host/apis/test.dev/v1"},
		{"resource", "", func(r *rest.Request) *rest.Request { return r.Resource("gadgets") }, "https://host/apis/test.dev/v1/gadgets"},
		{"resource in capitals", "", func(r *rest.Request) *rest.Request { return r.Resource("Gadgets") }, "https://host/apis/test.dev/v1/gadgets"},
		{"all namespaces", "", func(r *rest.Request) *rest.Request { return r.Namespace("").Resource("gadgets") }, "https://host/apis/test.dev/v1/gadgets"},
		{"namespace", "", func(r *rest.Request) *rest.Request { return r.Resource("gadgets").Namespace("ns") }, "https://host/apis/test.dev/v1/namespaces/ns/gadgets"},
		{"not scoped", "", func(r *rest.Request) *rest.Request { return r.NamespaceIfScoped("ns", false).Resource("gadgets") }, "https://host/apis/test.dev/v1/gadgets"},
		{"scoped", "", func(r *rest.Request) *rest.Request { return r.NamespaceIfScoped("ns", true).Resource("gadgets") }, "https://host/apis/test.dev/v1/namespaces/ns/gadgets"},
		{"name", "", func(r *rest.Request) *rest.Request { return r.Name("one").Resource("gadgets").Namespace("ns") }, "https://host/apis/test.dev/v1/namespaces/ns/gadgets/one"},
		{"name to be escaped", "", func(r *rest.Request) *rest.Request { return r.Resource("gadgets").Name("a:b c?d#e") }, "https://host/apis/test.dev/v1/gadgets/a:b%20c%3Fd%23e"},
		{"subresource", "", func(r *rest.Request) *rest.Request {
			return r.SubResource("proxy", "path").Resource("gadgets").Name("one")
		}, "https://host/apis/test.dev/v1/gadgets/one/proxy/path"},
		{"prefix and suffix", "", func(r *rest.Request) *rest.Request {
			return r.Suffix("z").Prefix("a", "b").Namespace("ns").Resource("gadgets").Name("one").SubResource("status").Suffix("y")
		}, "https://host/apis/test.dev/v1/a/b/namespaces/ns/gadgets/one/status/z/y"},
		{"slashes in prefix and suffix", "", func(r *rest.Request) *rest.Request { return r.Prefix("/a/", "//b/").Suffix("/z/") }, "https://host/apis/test.dev/v1/a/b/z"},
		{"base with a path", "https://host/below/here", func(r *rest.Request) *rest.Request { return r.Resource("gadgets") }, "https://host/below/here/apis/test.dev/v1/gadgets"},
		{"base with query and fragment", "https://host/?a=b#c", func(r *rest.Request) *rest.Request { return r.Resource("gadgets") }, "https://host/apis/test.dev/v1/gadgets"},
		{"absolute path", "", func(r *rest.Request) *rest.Request { return r.AbsPath("/healthz") }, "https://host/healthz"},
		{"absolute path of segments", "", func(r *rest.Request) *rest.Request { return r.AbsPath("a", "/b/", "c/") }, "https://host/a/b/c"},
		{"absolute path with a slash at its end", "", func(r *rest.Request) *rest.Request { return r.AbsPath("/api/") }, "https://host/api/"},
		{"absolute path with a slash and a resource", "", func(r *rest.Request) *rest.Request { return r.AbsPath("/api/").Resource("gadgets") }, "https://host/api/gadgets"},
		{"root", "", func(r *rest.Request) *rest.Request { return r.AbsPath("/") }, "https://host/"},
		{"root below a base", "https://host/below", func(r *rest.Request) *rest.Request { return r.AbsPath("/") }, "https://host/below/"},
		{"no segments", "", func(r *rest.Request) *rest.Request { return r.AbsPath() }, "https://host/"},
		{"prefix is dropped by an absolute path", "", func(r *rest.Request) *rest.Request { return r.Prefix("a").AbsPath("/b") }, "https://host/b"},
		{"URI", "https://host/below", func(r *rest.Request) *rest.Request { return r.Param("gone", "1").RequestURI("/a/b?c=d&c=e") }, "https://host/below/a/b?c=d&c=e"},
		{"URI without a query", "", func(r *rest.Request) *rest.Request { return r.Param("gone", "1").RequestURI("/a") }, "https://host/a"},
		{"URI of another host", "", func(r *rest.Request) *rest.Request { return r.RequestURI("https://other/a") }, "https://host/a"},
		{"params", "", func(r *rest.Request) *rest.Request { return r.Param("b", "1 2").Param("a", "&").Param("b", "3") }, "https://host/apis/test.dev/v1?a=%26&b=1+2&b=3"},
		{"timeout", "", func(r *rest.Request) *rest.Request { return r.Param("a", "b").Timeout(90 * time.Second) }, "https://host/apis/test.dev/v1?a=b&timeout=1m30s"},
		{"timeout over a param", "", func(r *rest.Request) *rest.Request { return r.Param("timeout", "1s").Timeout(time.Minute) }, "https://host/apis/test.dev/v1?timeout=1m0s"},
		{"list options", "", func(r *rest.Request) *rest.Request {
			seconds := int64(4)
			return r.Param("limit", "1").VersionedParams(&metav1.ListOptions{LabelSelector: "a=b", Watch: true, Limit: 2, TimeoutSeconds: &seconds}, parameterCodec)
		}, "https://host/apis/test.dev/v1?labelSelector=a%3Db&limit=1&limit=2&timeoutSeconds=4&watch=true"},
	} {
		t.Run(test.name, func(t *testing.T) {
			base := test.base
			if base == "" {
				base = "https://host"
			}
			r := test.set(clientAt(t, base).Get())
			if r.Error() != nil {
				t.Fatal(r.Error())
			}
			for range 2 { // it changes nothing
				if got := r.URL().String(); got != test.want {
					t.Errorf("URL is %s, want %s", got, test.want)
				}
			}
		})
	}
}

func TestURLChangesNothing(t *testing.T) {
	r := clientAt(t, "https://host").Get().Param("a", "b").Timeout(time.Minute)
	r.URL().Path = "changed"
	if got := r.Timeout(0).URL().String(); got != "https://host/apis/test.dev/v1?a=b" {
		t.Errorf("URL is %s", got)
	}
}

func TestSetUpErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*rest.Request) *rest.Request
		want string
	}{
		{"resource twice", func(r *rest.Request) *rest.Request { return r.Resource("a").Resource("b") }, `resource already set to "a", cannot change to "b"`},
		{"namespace twice", func(r *rest.Request) *rest.Request { return r.Namespace("").Namespace("b") }, `namespace already set to "", cannot change to "b"`},
		{"name twice", func(r *rest.Request) *rest.Request { return r.Name("a").Name("b") }, `resource name already set to "a", cannot change to "b"`},
		{"subresource twice", func(r *rest.Request) *rest.Request { return r.SubResource("a", "b").SubResource("c") }, `subresource already set to "a/b", cannot change to "c"`},
		{"empty name", func(r *rest.Request) *rest.Request { return r.Name("") }, "resource name may not be empty"},
		{"name with a slash", func(r *rest.Request) *rest.Request { return r.Name("a/b") }, `invalid resource name "a/b": [may not contain '/']`},
		{"name with both", func(r *rest.Request) *rest.Request { return r.Name("a/%b") }, `invalid resource name "a/%b": [may not contain '/' may not contain '%']`},
		{"name that leads up", func(r *rest.Request) *rest.Request { return r.Name("..") }, `invalid resource name "..": [may not be '..']`},
		{"namespace that leads nowhere", func(r *rest.Request) *rest.Request { return r.Namespace(".") }, `invalid namespace ".": [may not be '.']`},
		{"resource", func(r *rest.Request) *rest.Request { return r.Resource("a%2f") }, `invalid resource "a%2f": [may not contain '%']`},
		{"subresource", func(r *rest.Request) *rest.Request { return r.SubResource("a", "..") }, `invalid subresource "..": [may not be '..']`},
		{"suffix", func(r *rest.Request) *rest.Request { return r.Suffix("a", "..") }, `invalid suffix "..": no segment may be '..'`},
		{"suffix that leads up inside", func(r *rest.Request) *rest.Request { return r.Suffix("a/../../b") }, `invalid suffix "a/../../b": no segment may be '..'`},
		{"suffix that leads nowhere", func(r *rest.Request) *rest.Request { return r.Suffix("./a") }, `invalid suffix "./a": no segment may be '.'`},
		{"prefix", func(r *rest.Request) *rest.Request { return r.Prefix("..", "a") }, `invalid prefix "..": no segment may be '..'`},
		{"prefix that leads up at its end", func(r *rest.Request) *rest.Request { return r.Prefix("/a/..") }, `invalid prefix "/a/..": no segment may be '..'`},
		{"path", func(r *rest.Request) *rest.Request { return r.AbsPath("/api", "../version") }, `invalid path "../version": no segment may be '..'`},
		{"URI that leads up", func(r *rest.Request) *rest.Request { return r.RequestURI("/api/../version?a=b") }, `invalid path "/api/../version": no segment may be '..'`},
		{"URI that leads up, escaped", func(r *rest.Request) *rest.Request { return r.RequestURI("/api/%2E%2e%2fversion") }, `invalid path "/api/../version": no segment may be '..'`},
		{"URI", func(r *rest.Request) *rest.Request { return r.RequestURI("%zz") }, "invalid URL escape"},
		{"file", func(r *rest.Request) *rest.Request { return r.Body("no such file") }, "no such file"},
		{"body", func(r *rest.Request) *rest.Request { return r.Body(struct{ Secret string }{"hush"}) }, "unknown type used for body: struct { Secret string }"},
		{"params of an unknown kind", func(r *rest.Request) *rest.Request { return r.VersionedParams(&Unknown{}, parameterCodec) }, "no kind is registered"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := test.set(clientAt(t, "https://host").Get())
			err := r.Error()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error is %v, want one with %q", err, test.want)
			}
			if strings.Contains(err.Error(), "hush") {
				t.Errorf("the error contains the body: %v", err)
			}
			// It does not change later, and is what all ways to send the request use.
			before := r.URL().String()
			r.Resource("r").Namespace("n").Name("m").SubResource("s").Prefix("p").Suffix("f").AbsPath("/a").
				RequestURI("/u").Param("a", "b").Timeout(time.Second).VersionedParams(&metav1.GetOptions{}, parameterCodec).Body([]byte("b"))
			if after := r.URL().String(); !errors.Is(r.Error(), err) || before != after {
				t.Errorf("after the error, the URL changed from %s to %s, the error to %v", before, after, r.Error())
			}
			if got := r.Do(t.Context()).Error(); !errors.Is(got, err) {
				t.Errorf("Do: %v", got)
			}
			if _, got := r.DoRaw(t.Context()); !errors.Is(got, err) {
				t.Errorf("DoRaw: %v", got)
			}
			if got := r.DoInto(t.Context(), &Gadget{}); !errors.Is(got, err) {
				t.Errorf("DoInto: %v", got)
			}
			if _, got := r.Stream(t.Context()); !errors.Is(got, err) {
				t.Errorf("Stream: %v", got)
			}
			if _, got := r.Watch(t.Context()); !errors.Is(got, err) {
				t.Errorf("Watch: %v", got)
			}
		})
	}
}

// Unknown is a kind that no scheme contains.
type Unknown struct{ metav1.TypeMeta }

func (u *Unknown) DeepCopyObject() runtime.Object { return u }

func TestPathSegmentNames(t *testing.T) {
	for _, test := range []struct {
		name           string
		whole, asStart int // number of reasons against it
	}{
		{"", 0, 0}, {"a", 0, 0}, {".", 1, 0}, {"..", 1, 0}, {"...", 0, 0}, {"a/b", 1, 1}, {"%", 1, 1}, {"/%", 2, 2},
	} {
		if got := rest.ValidatePathSegmentName(test.name, false); len(got) != test.whole {
			t.Errorf("%q as a name: %q", test.name, got)
		}
		if got := rest.ValidatePathSegmentName(test.name, true); len(got) != test.asStart {
			t.Errorf("%q as a prefix: %q", test.name, got)
		}
	}
}

func TestEmptyNamespace(t *testing.T) {
	for _, test := range []struct {
		verb, name string
		refused    bool
	}{
		{"POST", "", true}, {"GET", "one", true}, {"PUT", "one", true}, {"DELETE", "one", true},
		{"GET", "", false}, {"DELETE", "", false}, {"PATCH", "one", false},
	} {
		s := serve(t, answerJSON(gadgetJSON))
		r := s.client(t).Verb(test.verb).Namespace("").Resource("gadgets")
		if test.name != "" {
			r.Name(test.name)
		}
		err := r.Do(t.Context()).Error()
		if (err != nil) != test.refused || (len(s.seen()) == 0) != test.refused {
			t.Errorf("%s %q: %v, %d requests", test.verb, test.name, err, len(s.seen()))
		}
	}
}

// FuzzPath sends the given parts to a server and parses the path again.
func FuzzPath(f *testing.F) {
	f.Add("/base", "ns", "gadgets", "one", "status")
	f.Add("", "", "Gadgets", "a b?c#d", "")
	f.Add("/a b/", "n", "r", "ü;,:@&=+$", "...")
	f.Fuzz(func(t *testing.T, base, namespace, resource, name, subresource string) {
		c, err := rest.NewRESTClient(&url.URL{Scheme: "http", Host: "host", Path: "/" + strings.Trim(base, "/.")}, "v1", rest.ClientContentConfig{}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := c.Get().Namespace(namespace).Resource(resource).Name(name).SubResource(subresource)
		if r.Error() != nil || resource == "" || strings.Contains(base, "/") {
			return
		}
		got, err := url.Parse(r.URL().String())
		if err != nil {
			t.Fatal(err)
		}
		want := []string{""}
		for _, segment := range []string{strings.Trim(base, "/."), "v1", "namespaces", namespace, strings.ToLower(resource), name, subresource} {
			if segment != "" && (segment != "namespaces" || namespace != "") {
				want = append(want, segment)
			}
		}
		if got.Path != strings.Join(want, "/") {
			t.Errorf("path %q, want %q", got.Path, want)
		}
		if escaped := strings.Split(got.EscapedPath(), "/"); len(escaped) != len(want) {
			t.Errorf("%q has %d segments, want %d", got.EscapedPath(), len(escaped), len(want))
		}
	})
}

func FuzzRequestURI(f *testing.F) {
	for _, seed := range []string{"/api/v1/", "/a?b=c&b=d", "//host/a", "https://other/a?b#c", "a/../..", "?a", "/%2e%2e/%2f", ":"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		r := clientAt(t, "https://user@host/base").Get().Param("gone", "1").RequestURI(uri)
		want, err := url.Parse(uri)
		if err == nil && r.Error() != nil && leadsUp(want.Path) {
			return
		}
		if (err != nil) != (r.Error() != nil) {
			t.Fatalf("%q: %v, but url.Parse returns %v", uri, r.Error(), err)
		}
		if err != nil {
			return
		}
		got := r.URL()
		if got.Host != "host" || got.Scheme != "https" || got.RawQuery != want.Query().Encode() {
			t.Errorf("%q became %s", uri, got)
		}
		// Sent as printed, it has the same meaning.
		again, err := url.Parse(got.String())
		if err != nil {
			t.Fatal(err)
		}
		if path := got.Path; again.Path != path && again.Path != "/"+path {
			t.Errorf("%q became path %q, sent as %q", uri, path, again.Path)
		}
	})
}

func leadsUp(path string) bool {
	segments := strings.Split(path, "/")
	return slices.Contains(segments, "..") || slices.Contains(segments, ".")
}

// Segments that only look like a parent directory are sent unchanged.
func TestSegmentsThatLeadNowhereElse(t *testing.T) {
	for _, segment := range []string{"...", "..a", "a..", ".a", "%2e%2e", "%2E%2E%2Fb", `..\b`, ". ."} {
		s := serve(t, answerJSON(gadgetJSON))
		if _, err := s.client(t).Get().Prefix(segment).Resource("gadgets").Suffix("x", segment).DoRaw(t.Context()); err != nil {
			t.Errorf("%s: %v", segment, err)
			continue
		}
		sent, err := url.Parse(s.seen()[0].uri)
		if err != nil {
			t.Fatal(err)
		}
		if want := "/apis/test.dev/v1/" + segment + "/gadgets/x/" + segment; sent.Path != want {
			t.Errorf("%s: the path is %s", segment, sent.Path)
		}
	}
}
