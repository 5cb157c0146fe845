package rest_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/rest"
)

const protobuf = "application/vnd.kubernetes.protobuf"

func TestNegotiation(t *testing.T) {
	plain := func(r *rest.Request) *rest.Request { return r }
	asProtobuf := func(r *rest.Request) *rest.Request { return r.UseProtobufAsDefault() }
	for _, test := range []struct {
		name                string
		accept, contentType string // of the config
		set                 func(*rest.Request) *rest.Request
		wantAccept          string
		wantContentType     string
	}{
		{"default", "", "", plain, "application/json, */*", "application/json"},
		{"content type", "", "application/yaml", plain, "application/yaml, */*", "application/yaml"},
		{"accept", "application/yaml", "", plain, "application/yaml", "application/json"},
		{"both", "application/yaml;q=0.5,application/json", "application/yaml", plain, "application/yaml;q=0.5,application/json", "application/yaml"},
		{"protobuf as default", "", "", asProtobuf, protobuf + ",application/json", protobuf},
		{"protobuf as default, content type set", "", "application/json", asProtobuf, "application/json, */*", "application/json"},
		{"protobuf as default, accept set", "application/json", "", asProtobuf, "application/json", "application/json"},
		{"protobuf preferred", "", "", func(r *rest.Request) *rest.Request { return r.UseProtobufAsDefaultIfPreferred(true) }, protobuf + ",application/json", protobuf},
		{"protobuf not preferred", "", "", func(r *rest.Request) *rest.Request { return r.UseProtobufAsDefaultIfPreferred(false) }, "application/json, */*", "application/json"},
		{"CBOR as content type", "", "application/cbor", plain, "application/json, */*", "application/json"},
		{"CBOR with a parameter", "", "application/cbor; a=b", plain, "application/json, */*", "application/json"},
		{"CBOR is a choice of the user", "", "application/cbor", asProtobuf, "application/json, */*", "application/json"},
		{"CBOR accepted", "application/cbor", "", plain, "application/json", "application/json"},
		{"CBOR accepted first", "application/cbor, application/json;q=0.9;a=b , */*;q=0.1", "", plain, "application/json,application/json; a=b; q=0.9,*/*; q=0.1", "application/json"},
		{"other clauses stay as they are", "application/cbor-seq , a/b;q=2", "", plain, "application/cbor-seq , a/b;q=2", "application/json"},
		{"header", "", "", func(r *rest.Request) *rest.Request { return r.SetHeader("accept", "a/b", "c/d") }, "a/b|c/d", "application/json"},
		{"header removed", "", "", func(r *rest.Request) *rest.Request { return r.SetHeader("Accept") }, "", "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, answerJSON(gadgetJSON))
			c := s.client(t, func(c *rest.Config) {
				c.AcceptContentTypes, c.ContentType = test.accept, test.contentType
				c.NegotiatedSerializer = protobufTwin{buffering}
			})
			r := test.set(c.Post())
			if err := r.Resource("gadgets").Body(&Gadget{Size: 3}).Do(t.Context()).Error(); err != nil {
				t.Fatal(err)
			}
			got := s.seen()[0].header
			if accept := strings.Join(got["Accept"], "|"); accept != test.wantAccept {
				t.Errorf("Accept is %q, want %q", accept, test.wantAccept)
			}
			if contentType := strings.Join(got["Content-Type"], "|"); contentType != test.wantContentType {
				t.Errorf("Content-Type is %q, want %q", contentType, test.wantContentType)
			}
		})
	}
}

// protobufTwin encodes JSON under the name of protobuf: test kinds have no protobuf.
type protobufTwin struct{ runtime.NegotiatedSerializer }

func (p protobufTwin) SupportedMediaTypes() []runtime.SerializerInfo {
	infos := p.NegotiatedSerializer.SupportedMediaTypes()
	for i := range infos {
		if infos[i].MediaType == protobuf {
			infos[i].Serializer, infos[i].StreamSerializer = infos[0].Serializer, infos[0].StreamSerializer
		}
	}
	return infos
}

func TestBody(t *testing.T) {
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, []byte("of a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	object := `{"kind":"Gadget","apiVersion":"test.dev/v1","metadata":{},"size":3}` + "\n"
	for _, test := range []struct {
		name            string
		body            any
		want            string
		wantContentType string
		wantLength      string
	}{
		{"none", nil, "", "", ""},
		{"bytes", []byte("some"), "some", "", "4"},
		{"no bytes", []byte{}, "", "", "0"},
		{"file", file, "of a file", "", "9"},
		{"reader of known length", strings.NewReader("some"), "some", "", "4"},
		{"reader", struct{ *strings.Reader }{strings.NewReader("some")}, "some", "", ""},
		{"object", &Gadget{Size: 3}, object, "application/json", "68"},
		{"nil object", (*Gadget)(nil), "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, answerJSON(gadgetJSON))
			r := s.client(t).Put().Resource("gadgets").Name("one")
			if test.body != nil {
				r.Body(test.body)
			}
			if err := r.Do(t.Context()).Error(); err != nil {
				t.Fatal(err)
			}
			got := s.seen()[0]
			if got.body != test.want {
				t.Errorf("body is %q, want %q", got.body, test.want)
			}
			if contentType := got.header.Get("Content-Type"); contentType != test.wantContentType {
				t.Errorf("Content-Type is %q, want %q", contentType, test.wantContentType)
			}
			if length := got.header.Get("Content-Length"); test.wantLength != "" && length != test.wantLength {
				t.Errorf("Content-Length is %q, want %q", length, test.wantLength)
			}
		})
	}
}

func TestBodyInUnknownFormat(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	c := s.client(t, func(c *rest.Config) { c.ContentType = "text/plain" })
	if err := c.Post().Body(&Gadget{}).Error(); err == nil || !strings.Contains(err.Error(), "text/plain") {
		t.Errorf("error is %v, want one that names the format", err)
	}
}

func TestVerbs(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	c := s.client(t)
	for _, test := range []struct {
		request         *rest.Request
		method          string
		wantContentType string
	}{
		{c.Get(), "GET", ""},
		{c.Post(), "POST", ""},
		{c.Put(), "PUT", ""},
		{c.Delete(), "DELETE", ""},
		{c.Patch(types.MergePatchType), "PATCH", "application/merge-patch+json"},
		{c.Verb("OPTIONS"), "OPTIONS", ""},
		{c.Verb(""), "GET", ""},
	} {
		if err := test.request.Do(t.Context()).Error(); err != nil {
			t.Fatal(err)
		}
		got := s.seen()[len(s.seen())-1]
		if got.method != test.method || got.header.Get("Content-Type") != test.wantContentType {
			t.Errorf("%s with Content-Type %q, want %s with %q", got.method, got.header.Get("Content-Type"), test.method, test.wantContentType)
		}
	}
	if c.APIVersion() != gadgets {
		t.Errorf("APIVersion is %v", c.APIVersion())
	}
}

func TestRequestIsSentAgain(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	r := s.client(t).Put().Resource("gadgets").Name("one").Body([]byte("some"))
	done := make(chan error)
	for range 4 {
		go func() { done <- r.DoInto(t.Context(), &Gadget{}) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for _, got := range s.seen() {
		if got.body != "some" || got.uri != "/apis/test.dev/v1/gadgets/one" {
			t.Errorf("sent %q to %s", got.body, got.uri)
		}
	}
}

func TestNewRequestWithClient(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	content := rest.ClientContentConfig{GroupVersion: gadgets, Negotiator: runtime.NewClientNegotiator(streaming, gadgets)}
	r := rest.NewRequestWithClient(mustParse(t, s.URL), "/apis/test.dev/v1", content, s.Client()).Verb("GET").Resource("gadgets").Name("one")
	var got Gadget
	if err := r.DoInto(t.Context(), &got); err != nil || got.Size != 3 {
		t.Errorf("%v, %+v", err, got)
	}
	if accept := s.seen()[0].header.Get("Accept"); accept != "application/json, */*" {
		t.Errorf("Accept is %q", accept)
	}
}

func TestDefaultHTTPClient(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	defer http.DefaultClient.CloseIdleConnections()
	c, err := rest.NewRESTClient(mustParse(t, s.URL), "", rest.ClientContentConfig{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := c.Get().DoRaw(t.Context()); err != nil || !bytes.Equal(body, []byte(gadgetJSON)) {
		t.Errorf("%v, %s", err, body)
	}
}

func FuzzAcceptWithoutCBOR(f *testing.F) {
	for _, seed := range []string{"application/cbor", "application/cbor;q=0.5,*/*;q=1", "a/b;c=\"d,e\",application/cbor", ";;,/", "application/cbor;q=x", "application/cbor;=;a=;q=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		c, err := rest.NewRESTClient(mustParse(t, "https://host"), "", rest.ClientContentConfig{AcceptContentTypes: accept}, nil, roundTrip(func(r *http.Request) {
			got := strings.Join(r.Header["Accept"], "")
			if !strings.Contains(accept, "application/cbor") && got != accept && accept != "" {
				t.Errorf("%q became %q", accept, got)
			}
			for clause := range strings.SplitSeq(got, ",") {
				if mediaType, _, _ := strings.Cut(clause, ";"); strings.Contains(accept, "application/cbor") && mediaType == "application/cbor" {
					t.Errorf("%q became %q", accept, got)
				}
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get().DoRaw(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// roundTrip returns an HTTP client that inspects requests and sends empty responses.
func roundTrip(look func(*http.Request)) *http.Client {
	return &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		look(r)
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}}, nil
	})}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Whatever format the server reports, an object is decoded completely or not at all.
func FuzzContentType(f *testing.F) {
	for _, seed := range []string{"", "application/json", "application/json; charset=utf-8", "Application/JSON", "application/yaml", "application/vnd.kubernetes.protobuf", "text/html", ";", "application/json;a", "a/b/c"} {
		f.Add(seed, 200)
	}
	f.Fuzz(func(t *testing.T, contentType string, code int) {
		answers := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {contentType}}, Body: io.NopCloser(strings.NewReader(gadgetJSON)), Request: r}, nil
		})}
		config := &rest.Config{Host: "http://host", ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: streaming}}
		c, err := rest.RESTClientForConfigAndClient(config, answers)
		if err != nil {
			t.Fatal(err)
		}
		var whole, streamed Gadget
		wholeErr := c.Get().Do(t.Context()).Into(&whole)
		streamedErr := c.Get().DoInto(t.Context(), &streamed)
		if (wholeErr == nil) != (streamedErr == nil) || whole.Size != streamed.Size {
			t.Errorf("%d %q: %v, %+v as a whole; %v, %+v as a stream", code, contentType, wholeErr, whole, streamedErr, streamed)
		}
		if (wholeErr == nil) != (whole.Size == 3) {
			t.Errorf("%d %q: %v, %+v", code, contentType, wholeErr, whole)
		}
	})
}
