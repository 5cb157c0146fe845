// Package transport creates the round trippers of Kubernetes clients, as client-go's transport does.
//
// A transport opens connections and sends requests over them; the TLS, dial and proxy settings of a Config
// determine it. Wrappers are round trippers around it that add headers: user agent, credentials, impersonation.
// Credentials and root certificates can change while the transport is in use (rotation).
//
// New creates a transport with its wrappers; HTTPWrappersForConfig creates only the wrappers, TLSConfigFor only
// the TLS part. Round trippers are safe for concurrent use.
//
//   - Sharing: equal configs share a transport, and therefore connections. When it is no longer referenced, its
//     idle connections are closed.
//   - Tokens from a file are reloaded every minute, and after a response with status 401.
//   - Root certificates from a file are reloaded every five minutes, and immediately when a server's
//     certificate cannot be verified; the request is then sent again.
//   - Client certificates from files are reloaded when a connection is opened, and every
//     CertCallbackRefreshDuration; when they have changed, connections opened with the old one are closed.
//   - If a file cannot be read or its content is invalid, the previous content stays in use.
//   - HTTP/2 connections are checked by pings; SetTransportDefaults of apimachinery's util/net documents the
//     environment variables for their interval.
//
// Credentials are not sent to another server to which a redirect leads. They are not printed either: neither by
// errors nor by NewDebuggingRoundTripper, which logs only the values of harmless headers and query parameters,
// and never a body. The fields of configs are plain, but their methods print them without credentials; package
// rest lists the printers that call these methods and those that do not.
//
// The deprecated CancelRequest is not supported: the context cancels a request. SPDY and websockets are not
// supported.
package transport
