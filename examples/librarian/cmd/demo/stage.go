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

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/examples/librarian"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/debug"
)

// stage is the setup of the demo: an API server, the controller, its debug page.
type stage struct {
	client versioned.Interface
	page   string // URL of the debug page

	closers []func() error // in the order of opening
}

// close stops everything, in reverse order of opening.
func (s *stage) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// open starts the API server with the CRDs of a directory, the controller, and the page.
func open(crds string) (_ *stage, err error) {
	s := &stage{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()

	begin := time.Now()
	server, err := apitest.New(apitest.WithCRDs(crds))
	if err != nil {
		return nil, fmt.Errorf("start API server: %w", err)
	}
	s.closers = append(s.closers, server.Stop)
	folder, err := os.MkdirTemp("", "listwatch-demo-")
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(folder) })
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err = server.WriteKubeconfig(kubeconfig); err != nil {
		return nil, err
	}
	fmt.Printf("Started an API server in this process, in %s: %s\n", time.Since(begin).Round(time.Millisecond), server.URL())
	fmt.Printf("    kubectl --kubeconfig %s get books,shelves\n", kubeconfig)

	if s.client, err = versioned.NewForConfig(server.Config()); err != nil {
		return nil, err
	}
	if err := s.control(); err != nil {
		return nil, err
	}
	return s, s.show()
}

// control runs the controller.
func (s *stage) control() error {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: brief}))
	controller, err := librarian.New(s.client, log.With("by", "controller"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- controller.Run(ctx) }()
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
