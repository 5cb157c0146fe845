// Versions serves the conversion webhook of an API with two versions. docs/guides/versions.md explains it.
//
//	versions [--address host:port] [--cert-dir directory]
package main

import (
	"flag"
	"log"
	"net/http"
	"path/filepath"
	"time"
)

//go:generate go tool gen-all --output-dir generated --output-pkg github.com/listwatch/listwatch/examples/versions/generated --crd-dir config/crd/bases ./apis/...

func main() {
	address := flag.String("address", ":9443", "`host:port` of the webhook")
	certificates := flag.String("cert-dir", "/tls", "`directory` with tls.crt and tls.key")
	flag.Parse()
	server := &http.Server{Addr: *address, Handler: webhooks(), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServeTLS(filepath.Join(*certificates, "tls.crt"), filepath.Join(*certificates, "tls.key")))
}
