package transport_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/listwatch/listwatch/runtime/transport"
)

// A transport sends credentials with each request of an HTTP client. Clients of the Kubernetes API get theirs from
// package rest.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(r.UserAgent(), r.Header.Get("Authorization"), r.Header.Get(transport.ImpersonateUserHeader))
	}))
	defer server.Close()

	roundTripper, err := transport.New(&transport.Config{
		UserAgent:   "librarian",
		BearerToken: "secret",
		Impersonate: transport.ImpersonationConfig{UserName: "jane"},
	})
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: roundTripper}
	defer client.CloseIdleConnections()
	response, err := client.Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	if err = response.Body.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status)
	// Output:
	// librarian Bearer secret jane
	// 200 OK
}

// A proxy in front of an API server names the user whom it has authenticated.
func ExampleSetAuthProxyHeaders() {
	request := httptest.NewRequest(http.MethodGet, "/api/v1/pods", nil)
	transport.SetAuthProxyHeaders(request, "jane", "", []string{"librarians"}, nil)
	fmt.Println(request.Header.Get("X-Remote-User"), request.Header.Get("X-Remote-Group"))
	// Output: jane librarians
}
