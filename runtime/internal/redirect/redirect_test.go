package redirect_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/redirect"
)

// request returns the last of a sequence of redirected requests.
func request(t *testing.T, urls ...string) *http.Request {
	t.Helper()
	var req *http.Request
	for _, text := range urls {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		next := &http.Request{URL: u, Header: http.Header{}}
		if req != nil {
			next.Response = &http.Response{Request: req}
		}
		req = next
	}
	return req
}

func TestForeign(t *testing.T) {
	for name, test := range map[string]struct {
		urls []string
		want bool
	}{
		"no redirect":             {[]string{"https://a/x"}, false},
		"same server":             {[]string{"https://a/x", "https://a/y"}, false},
		"same server, other case": {[]string{"https://a/x", "HTTPS://A/y"}, false},
		"port written out":        {[]string{"https://a/x", "https://a:443/y"}, false},
		"other host":              {[]string{"https://a/x", "https://b/x"}, true},
		"subdomain":               {[]string{"https://a/x", "https://b.a/x"}, true},
		"other port":              {[]string{"https://a/x", "https://a:8443/x"}, true},
		"downgrade":               {[]string{"https://a/x", "http://a/x"}, true},
		"downgrade, same port":    {[]string{"https://a:80/x", "http://a:80/x"}, true},
		"upgrade":                 {[]string{"http://a/x", "https://a/x"}, false},
		"upgrade, odd ports":      {[]string{"http://a:8080/x", "https://a:8443/x"}, true},
		"upgrade, same odd port":  {[]string{"http://a:8080/x", "https://a:8080/x"}, true},
		"away and back":           {[]string{"https://a/x", "https://b/x", "https://a/y"}, true},
		"stays away":              {[]string{"https://a/x", "https://b/x", "https://b/y"}, true},
		"away at the third":       {[]string{"https://a/x", "https://a/y", "https://b/x"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redirect.Foreign(request(t, test.urls...)); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
	unknown := request(t, "https://a/x")
	unknown.Response = &http.Response{}
	if !redirect.Foreign(unknown) {
		t.Error("a redirect without a request is trusted")
	}
}

func TestFollow(t *testing.T) {
	headers := []string{"Authorization", "Cookie", "Proxy-Authorization", "Impersonate-User", "Impersonate-Extra-A", "X-Remote-Group", "Accept"}
	for name, test := range map[string]struct {
		to   string
		want int
	}{
		"same server": {"https://a/y", len(headers)},
		"other host":  {"https://b/y", 1},
	} {
		t.Run(name, func(t *testing.T) {
			req := request(t, "https://a/x", test.to)
			for _, header := range headers {
				req.Header.Set(header, "x")
			}
			if err := redirect.Follow(req, nil); err != nil {
				t.Fatal(err)
			}
			if len(req.Header) != test.want || req.Header.Get("Accept") == "" {
				t.Errorf("got %v", req.Header)
			}
		})
	}
	if err := redirect.Follow(request(t, "https://a/x"), make([]*http.Request, 10)); err == nil {
		t.Error("an eleventh request is sent")
	}
	if err := redirect.Follow(request(t, "https://a/x"), make([]*http.Request, 9)); err != nil {
		t.Error("a tenth request is not sent:", err)
	}
}
