package spdy_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"

	"k8s.io/streaming/pkg/httpstream"
	serverspdy "k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// A dialer opens a connection with the credentials of a config. Packages remotecommand and portforward use it.
func ExampleNewDialer() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := httpstream.Handshake(r, w, []string{"v2.example.com"}); err != nil {
			return
		}
		conn := serverspdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
			go func() {
				fmt.Fprint(s, "hello, ", r.Header.Get("Authorization"))
				s.Close()
			}()
			return nil
		})
		<-conn.CloseChan()
	}))
	defer server.Close()

	config := &rest.Config{Host: server.URL, BearerToken: "secret"}
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		log.Fatal(err)
	}
	target, err := url.Parse(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, target)
	conn, protocol, err := dialer.Dial("v3.example.com", "v2.example.com")
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	stream, err := conn.CreateStream(http.Header{})
	if err != nil {
		log.Fatal(err)
	}
	message, err := io.ReadAll(stream)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(protocol, string(message))
	// Output: v2.example.com hello, Bearer secret
}
