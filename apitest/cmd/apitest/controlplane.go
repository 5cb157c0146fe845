package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// Names of the programs that this one replaces.
const (
	apiServer = "kube-apiserver"
	etcd      = "etcd"
)

// apiServerUsage must not list --insecure-port: envtest passes it to servers that have it.
const apiServerUsage = `Apitest in the place of kube-apiserver: a Kubernetes API server in memory.

Flags:
      --bind-address string                 host of the server (default "127.0.0.1")
      --secure-port int                     port of the server (default 6443)
      --cert-dir string                     folder with apiserver.crt and apiserver.key
      --tls-cert-file string                certificate of the server
      --tls-private-key-file string         key of the server
      --client-ca-file string               authorities of the certificates of clients
      --authorization-mode strings          RBAC or AlwaysAllow (default RBAC)
      --disable-admission-plugins strings   admission plugins without effect
      --enable-admission-plugins strings    admission plugins: those that this server lacks are ignored

Other flags of kube-apiserver are accepted and ignored. The server prints ignored flags that could make a difference.
`

const etcdUsage = `Apitest in the place of etcd: answers health checks, and stores nothing.

Flags:
      --listen-client-urls string   addresses of the server (default "http://localhost:2379")

Other flags of etcd are accepted and ignored.
`

// help writes text and returns true if args ask for help or for the version.
func help(args []string, text, version string, stdout io.Writer) bool {
	switch {
	case slices.ContainsFunc(args, func(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }):
		fmt.Fprint(stdout, text)
		return true
	case slices.ContainsFunc(args, func(arg string) bool { return arg == "--version" || arg == "-version" }):
		fmt.Fprintln(stdout, version)
		return true
	}
	return false
}

// serveAPI runs a server with the flags of kube-apiserver.
func serveAPI(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if help(args, apiServerUsage, "Kubernetes "+embedded.KubernetesVersion, stdout) {
		return nil
	}
	options, ignored, err := embedded.FlagOptions(args)
	if err != nil {
		return usageError{err}
	}
	if len(ignored) > 0 {
		fmt.Fprintf(stderr, "%s: apitest ignores %s\n", apiServer, strings.Join(ignored, ", "))
	}
	srv, err := embedded.New(options...)
	if err != nil {
		return err
	}
	<-ctx.Done()
	return srv.Stop()
}

// serveEtcd serves the health check and the version of an etcd over HTTP.
func serveEtcd(ctx context.Context, args []string, stdout io.Writer) error {
	if help(args, etcdUsage, "etcd Version: 3.6.0", stdout) {
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/health", respond(`{"health":"true","reason":""}`))
	mux.HandleFunc("/version", respond(`{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}`))
	listeners, err := listen(clientURLs(args))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, len(listeners))
	for _, listener := range listeners {
		go func() { failed <- server.Serve(listener) }()
	}
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	return errors.Join(err, server.Close())
}

// respond returns a handler that responds with a JSON document.
func respond(document string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, document) // the client may be gone
	}
}

// clientURLs returns the value of the only flag of etcd that has an effect.
func clientURLs(args []string) string {
	const flag = "--listen-client-urls"
	value := "http://localhost:2379"
	for i, arg := range args {
		if text, ok := strings.CutPrefix(arg, flag+"="); ok {
			value = text
		} else if arg == flag && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return value
}

// listen listens at URLs that are separated by commas. If it fails at one, it listens at none.
func listen(urls string) (listeners []net.Listener, err error) {
	for _, text := range strings.Split(urls, ",") {
		var listener net.Listener
		address, err := url.Parse(text)
		if err == nil && address.Host == "" {
			err = fmt.Errorf("%q is not a URL with a host", text)
		}
		if err == nil {
			listener, err = net.Listen("tcp", address.Host)
		}
		if err != nil {
			for _, l := range listeners {
				_ = l.Close() // nothing was served
			}
			return nil, fmt.Errorf("--listen-client-urls: %w", err)
		}
		listeners = append(listeners, listener)
	}
	return listeners, nil
}
