// Package csr requests certificates from a cluster: it creates certificate signing requests and waits until they are
// approved and signed.
//
// # Operations
//
// [RequestCertificateWithContext] creates a request, and [WaitForCertificate] returns its certificate. Both use
// certificates.k8s.io/v1, and v1beta1 of servers that do not have it.
package csr
