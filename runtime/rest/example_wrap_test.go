package rest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

// tracer adds a header to requests.
type tracer struct{ next http.RoundTripper }

func (t tracer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context()) // a round tripper must not modify the request
	r.Header.Set("Traceparent", "00-1-2-01")
	return t.next.RoundTrip(r)
}

// Wrap adds a round tripper that each request passes, retries too.
func ExampleConfig_Wrap() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "traced as ", r.Header.Get("Traceparent"))
	}))
	defer server.Close()

	config := &rest.Config{
		Host:          server.URL,
		ContentConfig: rest.ContentConfig{NegotiatedSerializer: codec.ForUnstructured()},
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return tracer{next} })
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.Get().AbsPath("/readyz").DoRaw(context.Background())
	fmt.Println(string(answer), err)
	// Output: traced as 00-1-2-01 <nil>
}
