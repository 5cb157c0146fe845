// Package transport makes round trippers that reach a server and identify the client, as
// client-go's transport.
//
// Terms: a transport opens connections and sends requests over them; it follows from what
// a Config says of TLS, dialing and proxies. Wrappers are round trippers around it that add
// headers: the user agent, credentials, impersonation. Rotation is that credentials or root
// certificates change while the transport is in use.
//
// Operations: New makes a transport with its wrappers; HTTPWrappersForConfig only the
// wrappers, TLSConfigFor only the TLS part. Round trippers are safe for concurrent use.
//
//   - Sharing: configs that are alike share a transport, and so connections. It is let go
//     when nobody refers to it any more; then its idle connections are closed.
//   - Tokens from a file are read again each minute, and after an answer of 401.
//   - Root certificates from a file are read again each five minutes, and at once when a
//     server's certificate cannot be verified; the request is then sent over.
//   - Client certificates from files are read again when a connection is opened, and each
//     CertCallbackRefreshDuration; when they have changed, connections opened with the
//     old one are closed.
//   - Files that cannot be read, or are of no use, leave in place what was read before.
//   - HTTP/2 connections are checked by pings; see SetTransportDefaults of apimachinery's
//     util/net for the environment variables that set how often.
//
// Credentials are not sent where a redirect leads to another server, and are not printed:
// not in errors, and not by NewDebuggingRoundTripper, which logs the values of harmless
// headers and query parameters only, and never a body. The configs, whose fields are plain,
// print without them by their methods, as those of package rest, which lists the printers
// that call these and those that do not.
//
// Limits: the deprecated CancelRequest is not offered; requests are cancelled by their
// context. SPDY and websockets are not here.
package transport
