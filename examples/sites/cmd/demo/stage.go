package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/examples/sites"
	"github.com/listwatch/listwatch/examples/sites/config"
	"github.com/listwatch/listwatch/runtime/debug"
)

// stage is the setup of the demo: an API server, two replicas of the controller, the debug page.
type stage struct {
	server *embedded.Server
	page   string // URL of the debug page

	closers []func() error // in the order of opening
}

// close stops everything, in reverse order of opening.
func (s *stage) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// open starts the API server with the controller's manifests, the controller, and the page.
func open() (_ *stage, err error) {
	s := &stage{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err = s.serve(); err != nil {
		return nil, fmt.Errorf("start API server: %w", err)
	}
	for _, identity := range []string{"one", "two"} {
		if err = s.control(identity); err != nil {
			return nil, err
		}
	}
	return s, s.show()
}

// serve starts the API server, and writes a kubeconfig file for it.
func (s *stage) serve() error {
	begin := time.Now()
	crd, err := config.CRD()
	if err != nil {
		return err
	}
	objects, err := config.Objects()
	if err != nil {
		return err
	}
	if s.server, err = embedded.New(embedded.WithCRDObjects(crd), embedded.WithObjects(objects...)); err != nil {
		return err
	}
	s.closers = append(s.closers, s.server.Stop)
	folder, err := os.MkdirTemp("", "listwatch-demo-")
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(folder) })
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err = s.server.WriteKubeconfig(kubeconfig); err != nil {
		return err
	}
	fmt.Printf("Started an API server in this process, in %s: %s\n", time.Since(begin).Round(time.Millisecond), s.server.URL())
	fmt.Printf("    kubectl --kubeconfig %s get sites,deployments\n", kubeconfig)
	return nil
}

// control runs a replica of the controller, with its own rights.
func (s *stage) control(identity string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: brief}))
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() {
		stopped <- sites.Run(ctx, s.server.ConfigFor(config.User), sites.Options{
			Namespace: "sites", Identity: identity, Workers: 2, Lease: sites.DefaultLease,
			StopTimeout: 10 * time.Second, Listener: listener, Log: log.With("replica", identity),
		})
	}()
	s.closers = append(s.closers, func() error {
		cancel()
		return <-stopped
	})
	return nil
}

// brief removes the log attributes that are the same on every line.
func brief(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
		return slog.Attr{}
	}
	return a
}

// show serves the debug page.
func (s *stage) show() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: debug.Handler(), ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(listener) }()
	s.closers = append(s.closers, func() error {
		err := server.Close()
		if served := <-stopped; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	})
	s.page = "http://" + listener.Addr().String() + "/"
	return nil
}
