package fault_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/apitest/internal/fault"
)

// pipes is a listener whose connections are in memory, so that a bubble detects when the whole
// server waits.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p <- theirs
	return ours, nil
}

// serve starts a server behind an injector, and returns a client of it. Both are closed when the
// test ends.
func serve(t *testing.T, i *fault.Injector, handler http.Handler) *http.Client {
	t.Helper()
	listener := make(pipes)
	server := &http.Server{Handler: wrap(i, handler)}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(i.Listen(listener))
	}()
	transport := &http.Transport{DialContext: listener.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-served
	})
	return &http.Client{Transport: transport}
}

func TestFreeze(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := fault.New()
		var served atomic.Int64
		client := serve(t, i, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			served.Add(1)
			fine(w, req)
		}))
		get(t, client, "fine")

		i.Freeze()
		i.Freeze()
		answered := make(chan string, 2)
		for range 2 { // over the open connection, and over a new one
			go func() { answered <- body(client) }()
		}
		synctest.Wait()
		if len(answered) > 0 {
			t.Fatal("a frozen server responded")
		}
		if n := served.Load(); n != 1 {
			t.Errorf("a frozen server has taken %d requests", n-1)
		}
		i.Thaw()
		i.Thaw()
		for range 2 {
			if got := <-answered; got != "fine" {
				t.Errorf("after the thaw: %s", got)
			}
		}
		get(t, client, "fine")
	})
}

// Data that are sent while a server is frozen arrive when it thaws.
func TestFreezeWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := fault.New()
		events := make(chan string)
		client := serve(t, i, stream(events))
		resp, err := client.Get("http://server/api/v1/pods?watch=1")
		if err != nil {
			t.Fatal(err)
		}
		lines := make(chan string, 10)
		go func() {
			defer close(lines)
			for s := bufio.NewScanner(resp.Body); s.Scan(); {
				lines <- s.Text()
			}
		}()
		events <- "one"
		if got := <-lines; got != "one" {
			t.Fatalf("the first event of the watch is %q, want %q", got, "one")
		}
		i.Freeze()
		events <- "two"
		synctest.Wait()
		if len(lines) > 0 {
			t.Fatalf("a frozen server sent %q", <-lines)
		}
		i.Thaw()
		events <- "three"
		close(events)
		for _, want := range []string{"two", "three", ""} {
			if got := <-lines; got != want {
				t.Errorf("got %q, not %q", got, want)
			}
		}
		_ = resp.Body.Close()
	})
}

// Connections of a frozen server are cut immediately, and its handlers end.
func TestCutFrozen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := fault.New()
		events := make(chan string)
		client := serve(t, i, stream(events))
		resp, err := client.Get("http://server/api/v1/pods?watch=1")
		if err != nil {
			t.Fatal(err)
		}
		i.Freeze()
		events <- "held back"
		synctest.Wait()
		if n := i.CutConnections(); n != 1 {
			t.Errorf("%d connections were cut", n)
		}
		if data, err := io.ReadAll(resp.Body); err == nil || len(data) > 0 {
			t.Errorf("the client saw %q, %v", data, err)
		}
		_ = resp.Body.Close()
		synctest.Wait()
		if n := i.DropWatches(); n != 0 {
			t.Errorf("%d watches are still served", n)
		}
	})
}

// stream responds with the lines from a channel, until it is closed or the request ends.
func stream(lines <-chan string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		for {
			select {
			case line, ok := <-lines:
				if !ok {
					return
				}
				_, _ = io.WriteString(w, line+"\n")
				_ = http.NewResponseController(w).Flush()
			case <-req.Context().Done():
				return
			}
		}
	})
}

func body(client *http.Client) string {
	resp, err := client.Get("http://server/readyz")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close() //nolint:errcheck // there is nothing to lose of what was read
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func get(t *testing.T, client *http.Client, want string) {
	t.Helper()
	if got := body(client); got != want {
		t.Fatalf("the body of the response is %q, want %q", got, want)
	}
}

// Over TCP, clients see a reset; the next connection works.
func TestCutConnections(t *testing.T) {
	i := fault.New()
	server := httptest.NewUnstartedServer(wrap(i, stream(nil)))
	server.Listener = i.Listen(server.Listener)
	server.Start()
	defer server.Close()
	for range 2 {
		resp, err := server.Client().Get(server.URL + "/api/v1/pods?watch=1")
		if err != nil {
			t.Fatal(err)
		}
		if n := i.CutConnections(); n != 1 {
			t.Errorf("%d connections were cut", n)
		}
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the client saw %v", err)
		}
		_ = resp.Body.Close()
	}
}

func TestDropWatches(t *testing.T) {
	i := fault.New()
	server := httptest.NewServer(wrap(i, stream(nil)))
	defer server.Close()
	open := func(resource string) (body io.ReadCloser) {
		t.Helper()
		resp, err := server.Client().Get(server.URL + "/api/v1/namespaces/default/" + resource + "?watch=1")
		if err != nil {
			t.Fatal(err)
		}
		return resp.Body
	}
	ended := func(body io.ReadCloser) {
		t.Helper()
		if data, err := io.ReadAll(body); err != nil || len(data) > 0 {
			t.Errorf("the client saw %q, %v", data, err)
		}
		_ = body.Close()
	}
	pods, services, secrets := open("pods"), open("services"), open("secrets")
	if n := i.DropWatches(fault.Match{Resource: "nodes"}); n != 0 {
		t.Errorf("%d watches of nodes were dropped", n)
	}
	if n := i.DropWatches(fault.Match{Resource: "nodes"}, fault.Match{Resource: "pods"}); n != 1 {
		t.Errorf("%d watches of pods were dropped", n)
	}
	ended(pods)
	if n := i.DropWatches(); n != 2 {
		t.Errorf("%d watches were dropped", n)
	}
	ended(services)
	ended(secrets)
	if n := i.DropWatches(); n != 0 {
		t.Errorf("%d watches were dropped that had ended", n)
	}
}

// A server that still writes when the stream to its client has ended does not notice, so that the connection stays open
// until the client closes it.
func TestCloseWrite(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := fault.New().Listen(inner)
	defer func() { _ = listener.Close() }()
	client, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()

	if err := server.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := server.Write([]byte("lost")); n != 4 || err != nil {
		t.Errorf("a write after CloseWrite returned %d, %v", n, err)
	}
	if got, err := io.ReadAll(client); len(got) != 0 || err != nil {
		t.Errorf("the client read %q, %v", got, err)
	}
	if _, err := client.Write([]byte("a request")); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 20)
	if n, err := server.Read(buf); string(buf[:n]) != "a request" || err != nil {
		t.Errorf("the server read %q, %v", buf[:n], err)
	}
}
