package spdy_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	apihttpstream "k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/streaming/pkg/httpstream"
	serverspdy "k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// echo starts a server that sends back what it receives on each stream, and records the requests' headers.
func echo(t *testing.T, headers chan<- http.Header) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers <- r.Header
		if _, err := httpstream.Handshake(r, w, []string{"b", "c"}); err != nil {
			return
		}
		conn := serverspdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
			go func() {
				_, _ = io.Copy(s, s)
				_ = s.Close()
			}()
			return nil
		})
		if conn != nil {
			<-conn.CloseChan()
			_ = conn.Close()
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestDialer(t *testing.T) {
	headers := make(chan http.Header, 2)
	server := echo(t, headers)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(&rest.Config{Host: server.URL, BearerToken: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: transport}
	check := func(stream io.ReadWriteCloser, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(stream, "hello"); err != nil {
			t.Fatal(err)
		}
		if err := stream.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(stream); err != nil || string(got) != "hello" {
			t.Errorf("got %q, %v", got, err)
		}
		if got := (<-headers).Get("Authorization"); got != "Bearer sesame" {
			t.Errorf("Authorization %q", got)
		}
	}
	conn, protocol, err := spdy.NewDialer(upgrader, client, "POST", u).Dial("a", "b")
	if err != nil || protocol != "b" {
		t.Fatalf("protocol %q, %v", protocol, err)
	}
	stream, err := conn.CreateStream(http.Header{})
	check(stream, err)
	if err = conn.Close(); err != nil {
		t.Error(err)
	}
	streamingConn, protocol, err := spdy.NewDialerForStreaming(upgrader, client, "POST", u).Dial("c")
	if err != nil || protocol != "c" {
		t.Fatalf("protocol %q, %v", protocol, err)
	}
	streamingStream, err := streamingConn.CreateStream(http.Header{})
	check(streamingStream, err)
	streamingConn.RemoveStreams(streamingStream, nil)
	if err := streamingConn.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := spdy.NewDialer(upgrader, client, "POST", u).Dial("x"); err == nil || !strings.Contains(err.Error(), "unable to negotiate protocol") {
		t.Errorf("got %v", err)
	}
}

// TestRedirectToAnotherServer checks that credentials stay with the server for which they are.
func TestRedirectToAnotherServer(t *testing.T) {
	headers := make(chan http.Header, 1)
	server := echo(t, headers)
	redirecting := httptest.NewServer(http.RedirectHandler(server.URL, http.StatusTemporaryRedirect))
	t.Cleanup(redirecting.Close)
	u, err := url.Parse(redirecting.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(&rest.Config{Host: redirecting.URL, BearerToken: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, "GET", u).Dial("b")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if got := (<-headers).Get("Authorization"); got != "" {
		t.Errorf("the other server received %q", got)
	}
}

func TestForeignResponse(t *testing.T) {
	_, upgrader, err := spdy.RoundTripperFor(&rest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	response := &http.Response{StatusCode: http.StatusSwitchingProtocols, Header: http.Header{"Connection": {"Upgrade"}, "Upgrade": {"SPDY/3.1"}}, Body: http.NoBody}
	if _, err := upgrader.NewConnection(response); err == nil {
		t.Error("a response without request is accepted")
	}
	response.Request = httptest.NewRequestWithContext(context.Background(), "GET", "/", nil)
	if _, err := upgrader.NewConnection(response); err == nil {
		t.Error("a response of another round tripper is accepted")
	}
}

// upgrader is one of k8s.io/streaming.
type upgrader struct {
	http.RoundTripper
	err error
}

func (u upgrader) NewConnection(*http.Response) (httpstream.Connection, error) { return nil, u.err }

func TestUpgraderForStreaming(t *testing.T) {
	want := errors.New("no upgrade")
	adapted := spdy.NewUpgraderForStreaming(upgrader{err: want})
	var conn apihttpstream.Connection
	conn, err := adapted.NewConnection(nil)
	if conn != nil || !errors.Is(err, want) {
		t.Errorf("got %v, %v", conn, err)
	}
}
