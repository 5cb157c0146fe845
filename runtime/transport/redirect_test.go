package transport

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"golang.org/x/oauth2"
)

// TestRedirectsDoNotLeak sends requests to a server that redirects to itself, to another
// one, and back.
func TestRedirectsDoNotLeak(t *testing.T) {
	seen := make(chan http.Header, 10)
	var first, second *httptest.Server
	handler := func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		switch r.URL.Path {
		case "/self":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/other":
			http.Redirect(w, r, second.URL+"/back", http.StatusFound)
		case "/back":
			http.Redirect(w, r, first.URL+"/end", http.StatusFound)
		}
	}
	first = httptest.NewServer(http.HandlerFunc(handler))
	defer first.Close()
	second = httptest.NewServer(http.HandlerFunc(handler))
	defer second.Close()

	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "tok"})
	impersonate := ImpersonationConfig{UserName: "u", Groups: []string{"g"}}
	for name, test := range map[string]struct {
		wrap   WrapperFunc
		header string
	}{
		"basic":         {func(rt http.RoundTripper) http.RoundTripper { return NewBasicAuthRoundTripper("u", "pw", rt) }, "Authorization"},
		"bearer":        {func(rt http.RoundTripper) http.RoundTripper { return NewBearerAuthRoundTripper("tok", rt) }, "Authorization"},
		"token source":  {TokenSourceWrapTransport(token), "Authorization"},
		"resettable":    {ResettableTokenSourceWrapTransport(NewCachedTokenSource(token)), "Authorization"},
		"impersonation": {func(rt http.RoundTripper) http.RoundTripper { return NewImpersonatingRoundTripper(impersonate, rt) }, "Impersonate-User"},
		"auth proxy":    {func(rt http.RoundTripper) http.RoundTripper { return NewAuthProxyRoundTripper("u", "", nil, nil, rt) }, "X-Remote-User"},
	} {
		t.Run(name, func(t *testing.T) {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			rt := NewUserAgentRoundTripper("me", test.wrap(transport))
			for path, want := range map[string][]bool{
				"/self":  {true, true},
				"/other": {true, false, false},
			} {
				if _, err := get(rt, first.URL+path); err != nil {
					t.Fatal(err)
				}
				for i, with := range want {
					header := <-seen
					if got := header.Get(test.header) != ""; got != with {
						t.Errorf("%s, request %d: sent %s: %v, want %v", path, i, test.header, got, with)
					}
					if header.Get("User-Agent") != "me" {
						t.Errorf("%s, request %d: the user agent is %q", path, i, header.Get("User-Agent"))
					}
				}
			}
		})
	}
}
