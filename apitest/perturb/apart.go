package perturb

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/runtime/rest"
)

// startApart starts a process of a program in real time. It connects to a server of its own, which sends its
// requests on and disturbs them, and which ends with it, so that other processes can use it too.
func (t *trial) startApart(ctx context.Context, p *process) error {
	server, err := url.Parse(t.server.URL())
	if err != nil {
		return err
	}
	config := t.server.Config()
	if user := t.controller.User; user != "" {
		config = t.server.ConfigFor(user, t.controller.Groups...)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("connect to the server: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	relay := &http.Server{
		Handler: &httputil.ReverseProxy{
			Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(server) },
			Transport:     connection{p, client.Transport},
			FlushInterval: -1, // watches
			ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		},
		ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute,
	}
	t.lives.Go(func() { _ = relay.Serve(listener) })
	t.lives.Go(func() {
		<-p.dead
		_ = relay.Close()
	})
	host := "http://" + listener.Addr().String()
	return t.startWith(ctx, &rest.Config{Host: host}, &clientgo.Config{Host: host, QPS: -1})
}
