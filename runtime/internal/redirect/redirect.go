// Package redirect tells whether a request was made by a redirect to where the client's
// credentials must not go.
//
// net/http drops the Authorization header of a request when it follows a redirect to
// another host; but a round tripper that adds credentials sees the redirected request like
// any other, and would add them again.
package redirect

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Foreign tells whether req follows redirects that have led away, at any step, from
// the server that the first request went to: to another host, another port, or from https
// to http. From http to https on the same host, both on their usual ports, is no way
// away. Where a response does not tell which request it answers, the answer is true.
func Foreign(req *http.Request) bool {
	for response := req.Response; response != nil; response = req.Response {
		from := response.Request
		if from == nil || from.URL == nil || req.URL == nil || !sameServer(from.URL, req.URL) {
			return true
		}
		req = from
	}
	return false
}

// limit is how many redirects are followed, as by net/http.
const limit = 10

// Follow is for http.Client's CheckRedirect: it lets redirects be followed as far as
// net/http does, but to another server only by requests that read, and takes from these
// what the caller himself has set of the headers that say who he is. A request that writes
// has a body, which may be a secret, and is an order to the server that it was sent to.
func Follow(req *http.Request, via []*http.Request) error {
	if len(via) >= limit {
		return errors.New("stopped after 10 redirects")
	}
	if !Foreign(req) {
		return nil
	}
	if len(via) > 0 && !reads(via[0].Method) {
		return fmt.Errorf("a redirect to another server is followed by requests that read only, not by %s", via[0].Method)
	}
	for key := range req.Header {
		if identifies(key) {
			delete(req.Header, key)
		}
	}
	return nil
}

func reads(method string) bool {
	return method == "" || method == http.MethodGet || method == http.MethodHead
}

func identifies(header string) bool {
	header = strings.ToLower(header)
	return header == "authorization" || header == "cookie" || header == "proxy-authorization" ||
		strings.HasPrefix(header, "impersonate-") || strings.HasPrefix(header, "x-remote-")
}

func sameServer(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	fromScheme, toScheme := strings.ToLower(from.Scheme), strings.ToLower(to.Scheme)
	if fromScheme == "http" && toScheme == "https" {
		return port(from) == "80" && port(to) == "443"
	}
	return fromScheme == toScheme && port(from) == port(to)
}

func port(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	default:
		return "80"
	}
}
