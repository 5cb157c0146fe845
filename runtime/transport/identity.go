package transport

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// The headers of impersonation.
const (
	// ImpersonateUserHeader names the user to act as.
	ImpersonateUserHeader = "Impersonate-User"
	// ImpersonateUIDHeader contains the UID to act as.
	ImpersonateUIDHeader = "Impersonate-Uid"
	// ImpersonateGroupHeader contains a group to act as; it can be repeated.
	ImpersonateGroupHeader = "Impersonate-Group"
	// ImpersonateUserExtraHeaderPrefix is the prefix of headers with further information about the user; the
	// escaped key follows. A key can be repeated.
	ImpersonateUserExtraHeaderPrefix = "Impersonate-Extra-"
)

// The headers with which an authenticating proxy names the user to the server.
const (
	remoteUserHeader        = "X-Remote-User"
	remoteUIDHeader         = "X-Remote-Uid"
	remoteGroupHeader       = "X-Remote-Group"
	remoteExtraHeaderPrefix = "X-Remote-Extra-"
)

// NewImpersonatingRoundTripper returns a round tripper that makes requests act as another user, unless they
// already do. Requests that were redirected to another server are unchanged.
func NewImpersonatingRoundTripper(impersonate ImpersonationConfig, delegate http.RoundTripper) http.RoundTripper {
	return &headerRoundTripper{
		next:  delegate,
		wants: lacks(ImpersonateUserHeader),
		add: func(req *http.Request) {
			req.Header.Set(ImpersonateUserHeader, impersonate.UserName)
			if impersonate.UID != "" {
				req.Header.Set(ImpersonateUIDHeader, impersonate.UID)
			}
			addAll(req.Header, ImpersonateGroupHeader, impersonate.Groups)
			for key, values := range impersonate.Extra {
				addAll(req.Header, ImpersonateUserExtraHeaderPrefix+escapeHeaderKey(key), values)
			}
		},
	}
}

// NewAuthProxyRoundTripper returns a round tripper for a proxy that has authenticated a user and names it to
// the server; see SetAuthProxyHeaders. The keys of extra should be in lower case, since servers read them so.
// Requests that were redirected to another server are unchanged.
func NewAuthProxyRoundTripper(username, uid string, groups []string, extra map[string][]string, rt http.RoundTripper) http.RoundTripper {
	return &headerRoundTripper{
		next:  rt,
		wants: func(http.Header) bool { return true },
		add: func(req *http.Request) {
			SetAuthProxyHeaders(req, username, uid, groups, extra)
		},
	}
}

// SetAuthProxyHeaders sets the headers of req that name the user whom a proxy has authenticated, and removes
// existing ones.
func SetAuthProxyHeaders(req *http.Request, username, uid string, groups []string, extra map[string][]string) {
	for key := range req.Header {
		if isAuthProxyHeader(key) {
			delete(req.Header, key)
		}
	}
	req.Header.Set(remoteUserHeader, username)
	if uid != "" {
		req.Header.Set(remoteUIDHeader, uid)
	}
	addAll(req.Header, remoteGroupHeader, groups)
	for key, values := range extra {
		addAll(req.Header, remoteExtraHeaderPrefix+escapeHeaderKey(key), values)
	}
}

// isAuthProxyHeader reports whether SetAuthProxyHeaders owns a header, in any spelling.
func isAuthProxyHeader(key string) bool {
	switch {
	case strings.EqualFold(key, remoteUserHeader),
		strings.EqualFold(key, remoteUIDHeader),
		strings.EqualFold(key, remoteGroupHeader):
		return true
	default:
		return len(key) >= len(remoteExtraHeaderPrefix) && strings.EqualFold(key[:len(remoteExtraHeaderPrefix)], remoteExtraHeaderPrefix)
	}
}

func addAll(header http.Header, key string, values []string) {
	for _, value := range values {
		header.Add(key, value)
	}
}

// escapeHeaderKey escapes each byte of key that is invalid in the name of a header, and percent signs, as a
// percent sign and two hexadecimal digits.
func escapeHeaderKey(key string) string {
	var b strings.Builder
	for i := range len(key) {
		if c := key[i]; c != '%' && httpguts.IsTokenRune(rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
