package embedded_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

// clientFor returns a client that authenticates with config, until the test ends.
func clientFor(t testing.TB, config *rest.Config) *http.Client {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// version requests /version, and returns the response, whose body has been read.
func version(client *http.Client, config *rest.Config) (*http.Response, error) {
	resp, err := client.Get(config.Host + "/version")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost
	_, err = io.Copy(io.Discard, resp.Body)
	return resp, err
}

// A rule for a user applies to that user and to no other, also after a restart.
func TestFaultsByUser(t *testing.T) {
	server := embedded.Start(t)
	server.Faults().Inject(embedded.Rule{
		Match: embedded.Match{User: "alice", Path: "/version*"},
		Error: apierrors.NewTooManyRequests("slow down", 3),
	})
	alice := server.ConfigFor("alice", "system:masters")
	check := func() {
		t.Helper()
		resp, err := version(clientFor(t, alice), alice)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "3" {
			t.Errorf("alice: %+v, %v", resp, err)
		}
		if resp, err = version(clientFor(t, server.Config()), server.Config()); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("admin: %+v, %v", resp, err)
		}
	}
	check()
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	check()
}

// A frozen server accepts connections and sends nothing; it can still be stopped and restarted,
// also with TLS.
func TestFrozenServer(t *testing.T) {
	for name, opts := range map[string][]embedded.Option{"TLS": nil, "plain": {embedded.WithPlainHTTP()}} {
		t.Run(name, func(t *testing.T) {
			server := embedded.Start(t, opts...)
			config := server.Config()
			client := clientFor(t, config)
			if _, err := version(client, config); err != nil {
				t.Fatal(err)
			}
			server.Faults().Freeze()
			answered := make(chan struct{})
			go func() {
				defer close(answered)
				_, _ = version(client, config) // answered or cut, depending on when the restart comes
			}()
			if err := server.Restart(); err != nil {
				t.Fatal(err)
			}
			<-answered
			if resp, err := version(client, config); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("after the restart: %+v, %v", resp, err)
			}
			server.Faults().Freeze()
			if err := server.Stop(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// Connections are cut below TLS, also in the middle of its handshake.
func TestCutHandshake(t *testing.T) {
	server := embedded.Start(t)
	server.Faults().Freeze()
	address := server.Config().Host[len("https://"):]
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // it has been reset
	shaken := make(chan error, 1)
	go func() {
		shaken <- tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(context.Background()) //nolint:gosec // nothing is sent
	}()
	for server.Faults().CutConnections() == 0 { // until it has been accepted
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-shaken; err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("handshake: %v", err)
	}
}
