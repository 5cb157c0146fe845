package rest_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Gadget is the kind of these tests.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int `json:"size,omitempty"`
}

func (g *Gadget) DeepCopyObject() runtime.Object {
	c := *g
	g.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// GadgetList is the list of Gadgets.
type GadgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Gadget `json:"items"`
}

func (l *GadgetList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = slices.Clone(l.Items)
	return &c
}

var (
	gadgets        = schema.GroupVersion{Group: "test.dev", Version: "v1"}
	gadgetScheme   = runtime.NewScheme()
	gadgetCodecs   = serializer.NewCodecFactory(gadgetScheme)
	parameterCodec = runtime.NewParameterCodec(gadgetScheme)

	// Three serializers: one whose JSON is decoded while it arrives, as that of the second is because it is recognized, and
	// one of a user's own.
	streaming  = codec.ForScheme(gadgetScheme, gadgetCodecs)
	recognized = runtime.NegotiatedSerializer(gadgetCodecs.WithoutConversion())
	buffering  = runtime.NegotiatedSerializer(own{gadgetCodecs.WithoutConversion()})
)

// own is a serializer of a type that nobody else knows.
type own struct{ runtime.NegotiatedSerializer }

func init() {
	gadgetScheme.AddKnownTypes(gadgets, &Gadget{}, &GadgetList{})
	metav1.AddToGroupVersion(gadgetScheme, gadgets)
	metav1.AddToGroupVersion(gadgetScheme, schema.GroupVersion{Version: "v1"})
}

const (
	gadgetJSON = `{"apiVersion":"test.dev/v1","kind":"Gadget","metadata":{"name":"one","namespace":"ns"},"size":3}`
	listJSON   = `{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"7"},"items":[` +
		`{"metadata":{"name":"one","namespace":"ns"},"size":1},{"metadata":{"name":"two","namespace":"ns"},"size":2}]}`
	statusJSON = `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"the object has been modified"}`
)

// seen is a request as the server received it.
type seen struct {
	method, uri string
	header      http.Header
	body        string
}

// server sends its responses in order, and repeats the last.
type server struct {
	*httptest.Server
	mu       sync.Mutex // guards the fields below
	requests []seen
	answers  []http.HandlerFunc
}

func serve(t testing.TB, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, seen{r.Method, r.RequestURI, r.Header, string(body)})
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	answer(w, r)
}

func (s *server) seen() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// client returns a client of the server. Options change its config.
func (s *server) client(t testing.TB, options ...func(*rest.Config)) *rest.RESTClient {
	t.Helper()
	config := &rest.Config{
		Host:          s.URL,
		APIPath:       "/apis",
		ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: streaming},
	}
	for _, option := range options {
		option(config)
	}
	client, err := rest.RESTClientForConfigAndClient(config, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func withSerializer(s runtime.NegotiatedSerializer) func(*rest.Config) {
	return func(c *rest.Config) { c.NegotiatedSerializer = s }
}

// answer returns a handler with one response.
func answer(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func answerJSON(body string) http.HandlerFunc { return answer(http.StatusOK, "application/json", body) }

// answeredBy returns a client whose only response is JSON with that body, without a server.
func answeredBy(t *testing.T, s runtime.NegotiatedSerializer, body io.Reader) *rest.RESTClient {
	t.Helper()
	answers := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK,
			Header:     http.Header{"Content-Type": {"application/json"}},
			Body:       io.NopCloser(body),
			Request:    r,
		}, nil
	})}
	c, err := rest.RESTClientForConfigAndClient(&rest.Config{
		Host:          "http://host",
		ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: s},
	}, answers)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// busy responds with a status code and a Retry-After header.
func busy(code int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		w.WriteHeader(code)
	}
}

// cut sends the beginning of a longer response, and closes the connection.
func cut(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Length", fmt.Sprint(len(body)+100))
		fmt.Fprint(w, body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// hangUp closes the connection without a response.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// compressed responds with JSON in a compressed body of which the last bytes are missing.
func compressed(write func(io.Writer), missing int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		if missing == 0 {
			z := gzip.NewWriter(w)
			write(z)
			_ = z.Close()
			return
		}
		rec := httptest.NewRecorder()
		z := gzip.NewWriter(rec)
		write(z)
		_ = z.Close()
		_, _ = w.Write(rec.Body.Bytes()[:rec.Body.Len()-missing])
	}
}

func mustParse(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
