package apply_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/apply"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestNewRequest(t *testing.T) {
	var method, contentType, body string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		method, contentType, body = r.Method, r.Header.Get("Content-Type"), string(data)
	}))
	defer s.Close()
	base, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.NewRESTClient(base, "/apis/test.dev/v1", rest.ClientContentConfig{}, nil, s.Client())
	if err != nil {
		t.Fatal(err)
	}
	r, err := apply.NewRequest(client, map[string]any{"kind": "Gadget", "size": 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resource("gadgets").Name("one").DoRaw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if method != "PATCH" || contentType != "application/apply-patch+yaml" || body != `{"kind":"Gadget","size":3}` {
		t.Errorf("%s, %s, %s", method, contentType, body)
	}

	if _, err := apply.NewRequest(client, make(chan int)); err == nil || !strings.Contains(err.Error(), "failed to marshal apply configuration") {
		t.Errorf("error is %v", err)
	}
}
