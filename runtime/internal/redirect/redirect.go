// Package redirect recognizes requests that a redirect has led to a server that must not receive the client's
// credentials.
//
// net/http drops the Authorization header of a request when it follows a redirect to another host; but a round
// tripper that adds credentials sees the redirected request like any other, and would add them again.
package redirect

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Foreign reports whether redirects have led req away, at any step, from the server of the first request: to
// another host, another port, or from https to http. A redirect from http to https on the same host, both on
// their default ports, is not foreign. If a response does not contain its request, the result is true.
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

// limit is the number of redirects that are followed, as in net/http.
const limit = 10

// Follow is a CheckRedirect function of http.Client. It follows as many redirects as net/http does, but to
// another server only for requests that read, from which it removes the identifying headers that the caller has
// set. A request that writes has a body, which may be secret, and is meant for the server to which it was sent.
func Follow(req *http.Request, via []*http.Request) error {
	if len(via) >= limit {
		return errors.New("stopped after 10 redirects")
	}
	if !Foreign(req) {
		return nil
	}
	if len(via) > 0 && !reads(via[0].Method) {
		return fmt.Errorf("redirect of a %s to another server is not followed, only requests that read are", via[0].Method)
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
