package embedded_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// post creates an object and returns the code of the response.
func post(t *testing.T, client *http.Client, url, body string) int {
	t.Helper()
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

// The next request must not be sent on a connection that has ended with the server's former life,
// because a write is not sent again.
func TestRestartBetweenRequests(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []embedded.Option
	}{
		{"TLS", nil},
		{"plain", []embedded.Option{embedded.WithPlainHTTP()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := embedded.Start(t, append(c.opts, embedded.WithCRDs("../testdata/crds"))...)
			client := clientFor(t, srv.Config())
			url := srv.URL() + "/apis/library.example.com/v1/namespaces/default/books"
			for n := range 50 {
				body := fmt.Sprintf(`{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"name":"b%d"},"spec":{"title":"B"}}`, n)
				if code := post(t, client, url, body); code != http.StatusCreated {
					t.Fatalf("object %d: %d", n, code)
				}
				if err := srv.Restart(); err != nil {
					t.Fatal(err)
				}
			}
			if _, body := get(t, srv.Config(), "/apis/library.example.com/v1/namespaces/default/books/b0"); !strings.Contains(body, `"title":"B"`) {
				t.Errorf("the first object is %s", body)
			}
		})
	}
}

func TestStopEndsWatches(t *testing.T) {
	for _, c := range []struct {
		name string
		opts []embedded.Option
		end  func(*embedded.Server) error
	}{
		{"stop", nil, (*embedded.Server).Stop},
		{"stop plain", []embedded.Option{embedded.WithPlainHTTP()}, (*embedded.Server).Stop},
		{"restart", nil, (*embedded.Server).Restart},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := embedded.Start(t, append(c.opts, embedded.WithCRDs("../testdata/crds"))...)
			client := clientFor(t, srv.Config())
			var watches sync.WaitGroup
			for n := range 20 {
				resource := "/apis/library.example.com/v1/books"
				if n%2 == 1 {
					resource = "/api/v1/configmaps"
				}
				resp, err := client.Get(srv.URL() + resource + "?watch=true")
				if err != nil {
					t.Fatal(err)
				}
				watches.Go(func() {
					_, _ = io.Copy(io.Discard, resp.Body) // how it ends depends on the network
					_ = resp.Body.Close()
				})
			}
			if err := c.end(srv); err != nil {
				t.Fatal(err)
			}
			watches.Wait()
		})
	}
}

func TestStopped(t *testing.T) {
	srv := embedded.Start(t)
	client := clientFor(t, srv.Config())
	for range 2 {
		if err := srv.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if err := srv.Restart(); !errors.Is(err, embedded.ErrStopped) {
		t.Errorf("restarted: %v", err)
	}
	if err := srv.Apply(t.Context(), &apiextensions.CustomResourceDefinition{}); !errors.Is(err, embedded.ErrStopped) {
		t.Errorf("applied: %v", err)
	}
	if resp, err := client.Get(srv.URL() + "/healthz"); err == nil {
		t.Errorf("a stopped server responds with %s", resp.Status)
	}
}

// Clients that connect while the server restarts are served by its next life, and nobody else can
// take its port.
func TestRestartKeepsPort(t *testing.T) {
	srv := embedded.Start(t)
	address := strings.TrimPrefix(srv.URL(), "https://")
	stop := make(chan struct{})
	var dialing sync.WaitGroup
	for range 4 {
		dialing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				conn, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				_ = conn.Close()
			}
		})
	}
	for range 20 {
		if err := srv.Restart(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	dialing.Wait()
}

// A frozen server can still be stopped.
func TestStopWhileFreezing(t *testing.T) {
	for name, end := range map[string]func(*embedded.Server) error{"stop": (*embedded.Server).Stop, "restart": (*embedded.Server).Restart} {
		t.Run(name, func(t *testing.T) {
			srv := embedded.Start(t)
			for _, proto := range []string{"h2", "http/1.1"} {
				config := srv.Config()
				config.NextProtos = []string{proto}
				client := clientFor(t, config)
				if _, err := version(client, config); err != nil { // then the connection is idle
					t.Fatal(err)
				}
			}
			ended := make(chan error, 1)
			go func() { ended <- end(srv) }()
			limit := time.After(time.Minute)
			for {
				srv.Faults().Freeze()
				select {
				case err := <-ended:
					srv.Faults().Thaw()
					if err != nil {
						t.Error(err)
					}
					return
				case <-limit:
					srv.Faults().Thaw()
					t.Fatalf("the %s of a server that is frozen again and again has not returned after a minute", name)
				default:
				}
			}
		})
	}
}

// A client that hangs does not prevent the server from stopping.
func TestStopWithSlowBody(t *testing.T) {
	srv := embedded.Start(t, embedded.WithPlainHTTP())
	client := clientFor(t, srv.Config())
	body, writer := io.Pipe()
	go func() {
		_, _ = writer.Write([]byte(`{"kind":`)) // the rest is never sent
	}()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	started := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Verb: "create"}, Times: 1})
	go func() {
		defer close(done)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL()+"/api/v1/namespaces/default/configmaps", body)
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		// The server ends the request before the connection: either may arrive first.
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusGatewayTimeout {
				t.Errorf("the response to half a body is %s, want 504", resp.Status)
			}
		}
	}()
	<-started.Done()
	if err := srv.Stop(); err != nil {
		t.Fatal(err)
	}
	cancel()
	_ = writer.Close()
	<-done
}

func TestManyServers(t *testing.T) {
	const servers = 8
	var all sync.WaitGroup
	for n := range servers {
		srv := embedded.Start(t, embedded.WithCRDs("../testdata/crds"))
		all.Go(func() {
			clients := versioned.NewForConfigOrDie(srv.Config())
			for i := range n + 1 {
				book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("b", i)}, Spec: v1.BookSpec{Title: "B"}}
				if _, err := clients.LibraryV1().Books("default").Create(t.Context(), book, metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			}
			list, err := clients.LibraryV1().Books("").List(t.Context(), metav1.ListOptions{})
			if err != nil || len(list.Items) != n+1 {
				t.Errorf("server %d has %d objects: %v", n, len(list.Items), err)
			}
		})
	}
	all.Wait()
}

func TestProtocols(t *testing.T) {
	for _, c := range []struct {
		name  string
		opts  []embedded.Option
		proto []string // application protocols; nil for the default
		want  string
	}{
		{"TLS", nil, nil, "HTTP/2.0"},
		{"TLS with HTTP/1", nil, []string{"http/1.1"}, "HTTP/1.1"},
		{"plain", []embedded.Option{embedded.WithPlainHTTP()}, nil, "HTTP/1.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := embedded.Start(t, c.opts...)
			config := srv.Config()
			config.NextProtos = c.proto
			resp, err := clientFor(t, config).Get(srv.URL() + "/api/v1/namespaces")
			if err != nil {
				t.Fatal(err)
			}
			var list struct {
				Items []struct{ Metadata metav1.ObjectMeta }
			}
			if err := errors.Join(json.NewDecoder(resp.Body).Decode(&list), resp.Body.Close()); err != nil {
				t.Fatal(err)
			}
			if resp.Proto != c.want || len(list.Items) != 4 {
				t.Errorf("%d namespaces by %s, want 4 by %s", len(list.Items), resp.Proto, c.want)
			}
			if resp.Header.Get("Audit-Id") == "" || resp.Header.Get("Cache-Control") != "no-cache, private" {
				t.Errorf("header: %v", resp.Header)
			}
		})
	}
}

// Clients that do not know the authority reject the server.
func TestUnknownAuthority(t *testing.T) {
	srv := embedded.Start(t)
	config := srv.Config()
	config.CAData = nil
	if resp, err := clientFor(t, config).Get(srv.URL()); err == nil {
		t.Errorf("a client that does not know the authority got %s, want an error", resp.Status)
	}
}
