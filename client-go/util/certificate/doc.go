// Package certificate keeps a client's or server's certificate valid: it requests a new one from the cluster before
// the current one expires.
//
// # Terms
//
// A [Manager] has a current certificate, which a [Store] keeps beyond the end of the program. It *rotates* the
// certificate by a certificate signing request with a new key: when 70 to 90 % of the certificate's time have passed,
// when the template asks for names that the certificate does not have, and at once if there is none, or only one for
// the first start, the *bootstrap* certificate.
//
// # Operations
//
// [NewManager] returns a manager; [Manager.Start] begins to rotate, and [Manager.Current] returns the certificate, for
// example to a tls.Config's GetCertificate. [NewFileStore] keeps certificates in files.
package certificate
