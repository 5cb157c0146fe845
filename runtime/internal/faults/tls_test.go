package faults_test

import (
	"crypto/tls"
	"io"
	"log"
)

// quiet is where servers log to whose clients hang up on them.
var quiet = log.New(io.Discard, "", 0)

// serverTLS is what a server with a certificate says of TLS.
func serverTLS(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, ClientAuth: tls.RequestClientCert}
}
