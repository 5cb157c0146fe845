package secret

import (
	"net/http"
	"net/url"
	"strings"
)

// Redacted replaces the removed parts of a redacted text.
const Redacted = "REDACTED"

// Host redacts a host, a host:port pair or a URL from user input, which may be malformed: everything between
// its scheme and its last "@" may be a password, and everything after "?" or "#" a token.
func Host(host string) string {
	scheme := ""
	if i := strings.Index(host, "://"); i >= 0 && isScheme(host[:i]) {
		scheme, host = host[:i+3], host[i+3:]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = Redacted + host[i:]
	}
	if i := strings.IndexAny(host, "?#"); i >= 0 {
		host = host[:i+1] + Redacted
	}
	return scheme + host
}

func isScheme(s string) bool {
	switch strings.ToLower(s) {
	case "http", "https", "socks5", "socks5h", "unix":
		return true
	default:
		return false
	}
}

// URL redacts the URL of a request: the part before "@", the fragment, and the values of all query parameters
// except those of the Kubernetes API that are not secret.
func URL(u *url.URL) string {
	if u == nil {
		return ""
	}
	redacted := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.Opaque != "" {
		redacted.Opaque = Redacted
	}
	if u.User != nil {
		redacted.User = url.User(Redacted)
	}
	redacted.RawQuery = query(u.RawQuery)
	return redacted.String()
}

// query redacts a raw query, keeping its order.
func query(raw string) string {
	if raw == "" {
		return ""
	}
	parameters := strings.Split(raw, "&")
	for i, parameter := range parameters {
		key, _, hasValue := strings.Cut(parameter, "=")
		if harmlessParameters[key] {
			continue
		}
		// A parameter without a value may be one whose name is the secret.
		if !hasValue || !isName(key) {
			key = Redacted
		}
		parameters[i] = key + "=" + Redacted
	}
	return strings.Join(parameters, "&")
}

// isName reports whether s looks like a chosen name, and not like data.
func isName(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for _, c := range s {
		if c > 127 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", c) {
			return false
		}
	}
	return true
}

// Header returns the values of a header for printing: unchanged for harmless headers, for all others only that
// there is a value. The scheme of an Authorization header is kept if it is known.
func Header(key string, values []string) []string {
	key = http.CanonicalHeaderKey(key)
	if harmlessHeaders[key] {
		return values
	}
	redacted := make([]string, len(values))
	for i, value := range values {
		if value == "" {
			continue
		}
		redacted[i] = Redacted
		if key == "Authorization" {
			if scheme, _, _ := strings.Cut(value, " "); knownAuthSchemes[strings.ToLower(scheme)] {
				redacted[i] = scheme + " " + Redacted
			}
		}
	}
	return redacted
}

// Headers returns a copy of header for printing.
func Headers(header http.Header) http.Header {
	redacted := make(http.Header, len(header))
	for key, values := range header {
		redacted[key] = Header(key, values)
	}
	return redacted
}

var knownAuthSchemes = setOf("bearer", "basic", "negotiate")

// harmlessHeaders describe the format, sender and handling of a message, but not its user.
var harmlessHeaders = setOf(
	"Accept", "Accept-Encoding", "Age", "Allow", "Audit-Id", "Cache-Control", "Connection",
	"Content-Encoding", "Content-Length", "Content-Type", "Date", "Expires", "Retry-After",
	"Server", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary", "Via",
	"X-Content-Type-Options", "X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid",
)

// harmlessParameters are the query parameters of the Kubernetes API for selection and the form of the response.
var harmlessParameters = setOf(
	"allowWatchBookmarks", "container", "continue", "dryRun", "fieldManager", "fieldSelector",
	"fieldValidation", "follow", "force", "gracePeriodSeconds", "labelSelector", "limit",
	"orphanDependents", "pretty", "previous", "propagationPolicy", "resourceVersion",
	"resourceVersionMatch", "sendInitialEvents", "sinceSeconds", "stderr", "stdin", "stdout", "tailLines",
	"timeout", "timeoutSeconds", "timestamps", "tty", "watch",
)

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
