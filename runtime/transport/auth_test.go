package transport

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
)

func TestWrappersSetHeaders(t *testing.T) {
	static := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "tok"})
	for name, test := range map[string]struct {
		wrap        WrapperFunc
		given, want http.Header
	}{
		"basic": {
			wrap: func(rt http.RoundTripper) http.RoundTripper { return NewBasicAuthRoundTripper("user", "pw", rt) },
			want: http.Header{"Authorization": {"Basic dXNlcjpwdw=="}},
		},
		"basic, set already": {
			wrap:  func(rt http.RoundTripper) http.RoundTripper { return NewBasicAuthRoundTripper("user", "pw", rt) },
			given: http.Header{"Authorization": {"mine"}},
			want:  http.Header{"Authorization": {"mine"}},
		},
		"bearer": {
			wrap: func(rt http.RoundTripper) http.RoundTripper { return NewBearerAuthRoundTripper("tok", rt) },
			want: http.Header{"Authorization": {"Bearer tok"}},
		},
		"bearer, set already": {
			wrap:  func(rt http.RoundTripper) http.RoundTripper { return NewBearerAuthRoundTripper("tok", rt) },
			given: http.Header{"Authorization": {"mine"}},
			want:  http.Header{"Authorization": {"mine"}},
		},
		"token source": {
			wrap: TokenSourceWrapTransport(static),
			want: http.Header{"Authorization": {"Bearer tok"}},
		},
		"token source, set already": {
			wrap:  TokenSourceWrapTransport(static),
			given: http.Header{"Authorization": {"mine"}},
			want:  http.Header{"Authorization": {"mine"}},
		},
		"user agent": {
			wrap: func(rt http.RoundTripper) http.RoundTripper { return NewUserAgentRoundTripper("me", rt) },
			want: http.Header{"User-Agent": {"me"}},
		},
		"user agent, set already": {
			wrap:  func(rt http.RoundTripper) http.RoundTripper { return NewUserAgentRoundTripper("me", rt) },
			given: http.Header{"User-Agent": {"mine"}},
			want:  http.Header{"User-Agent": {"mine"}},
		},
		"impersonation": {
			wrap: func(rt http.RoundTripper) http.RoundTripper {
				return NewImpersonatingRoundTripper(ImpersonationConfig{
					UserName: "u", UID: "1", Groups: []string{"a", "b"},
					Extra: map[string][]string{"first": {"A", "a"}, "example.com/a b%": {"c"}},
				}, rt)
			},
			want: http.Header{
				"Impersonate-User": {"u"}, "Impersonate-Uid": {"1"}, "Impersonate-Group": {"a", "b"},
				"Impersonate-Extra-First":                  {"A", "a"},
				"Impersonate-Extra-Example.com%2fa%20b%25": {"c"},
			},
		},
		"impersonation, set already": {
			wrap: func(rt http.RoundTripper) http.RoundTripper {
				return NewImpersonatingRoundTripper(ImpersonationConfig{UserName: "u", Groups: []string{"a"}}, rt)
			},
			given: http.Header{"Impersonate-User": {"mine"}},
			want:  http.Header{"Impersonate-User": {"mine"}},
		},
		"auth proxy": {
			wrap: func(rt http.RoundTripper) http.RoundTripper {
				return NewAuthProxyRoundTripper("u", "1", []string{"a"}, map[string][]string{"k/l": {"v"}}, rt)
			},
			given: http.Header{
				"X-Remote-User": {"x"}, "X-Remote-Uid": {"x"}, "X-Remote-Group": {"x", "y"},
				"x-remote-extra-old": {"x"}, "X-Remote-Other": {"stays"},
			},
			want: http.Header{
				"X-Remote-User": {"u"}, "X-Remote-Uid": {"1"}, "X-Remote-Group": {"a"},
				"X-Remote-Extra-K%2fl": {"v"}, "X-Remote-Other": {"stays"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			next := &recorder{}
			send(t, test.wrap(next), test.given)
			if diff := cmp.Diff(test.want, next.last()); diff != "" {
				t.Errorf("headers differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHTTPWrappersForConfig(t *testing.T) {
	next := &recorder{}
	rt, err := HTTPWrappersForConfig(&Config{
		UserAgent:   "me",
		BearerToken: "tok",
		Impersonate: ImpersonationConfig{UID: "1"},
		WrapTransport: func(rt http.RoundTripper) http.RoundTripper {
			return NewUserAgentRoundTripper("inner", rt)
		},
	}, next)
	if err != nil {
		t.Fatal(err)
	}
	send(t, rt, nil)
	want := http.Header{"User-Agent": {"me"}, "Authorization": {"Bearer tok"}, "Impersonate-User": {""}, "Impersonate-Uid": {"1"}}
	if diff := cmp.Diff(want, next.last()); diff != "" {
		t.Errorf("headers differ (-want +got):\n%s", diff)
	}

	if _, err := HTTPWrappersForConfig(&Config{Username: "u", BearerToken: "tok"}, next); err == nil {
		t.Error("a name and a token together are accepted")
	}
	if rt, err := HTTPWrappersForConfig(&Config{}, next); err != nil || rt != http.RoundTripper(next) {
		t.Errorf("nothing to add, but got %T, %v", rt, err)
	}
	if _, err := HTTPWrappersForConfig(&Config{BearerTokenFile: "/nowhere/token"}, next); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a token file that does not exist gives %v", err)
	}
}

func TestTokenFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := file(t, []byte("one\n"))
		next := &recorder{}
		rt, err := NewBearerAuthWithRefreshRoundTripper("", path, next)
		if err != nil {
			t.Fatal(err)
		}
		expect := func(what, token string) {
			t.Helper()
			send(t, rt, nil)
			if got := next.last().Get("Authorization"); got != "Bearer "+token {
				t.Errorf("%s: sent %q, want the token %q", what, got, token)
			}
		}
		expect("at first", "one")
		write(t, path, []byte("two"))
		expect("just after the change", "one")
		time.Sleep(50 * time.Second) // the period of a minute without the leeway
		expect("a minute later", "two")

		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		expect("without a file", "two")
		write(t, path, []byte("  "))
		time.Sleep(time.Hour)
		expect("with an empty file", "two")
		write(t, path, []byte("three"))
		expect("as soon as it can be read", "three")

		write(t, path, []byte("four"))
		next.status = http.StatusUnauthorized
		time.Sleep(time.Second)
		expect("when it is rejected", "three")
		expect("after that", "four")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		expect("rejected again, without a file", "four")
		expect("nothing better", "four")
	})
}

func TestTokenFileGoesBeforeToken(t *testing.T) {
	path := file(t, []byte("from the file"))
	next := &recorder{}
	rt, err := NewBearerAuthWithRefreshRoundTripper("given", path, next)
	if err != nil {
		t.Fatal(err)
	}
	send(t, rt, nil)
	if got := next.last().Get("Authorization"); got != "Bearer from the file" {
		t.Errorf("sent %q", got)
	}

	rt, err = NewBearerAuthWithRefreshRoundTripper("given", "/nowhere/token", next)
	if err != nil {
		t.Fatal(err)
	}
	send(t, rt, nil)
	if got := next.last().Get("Authorization"); got != "Bearer given" {
		t.Errorf("sent %q", got)
	}
}

// counter is a source that counts its tokens.
type counter struct {
	calls int
	err   error
	life  time.Duration
}

func (c *counter) Token() (*oauth2.Token, error) {
	c.calls++
	if c.err != nil {
		return nil, c.err
	}
	return &oauth2.Token{AccessToken: string(rune('a' + c.calls - 1)), Expiry: time.Now().Add(c.life)}, nil
}

func TestCachedTokenSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &counter{life: time.Minute}
		source := NewCachedTokenSource(base)
		expect := func(what, want string) {
			t.Helper()
			token, err := source.Token()
			if err != nil || token.AccessToken != want {
				t.Errorf("%s: got %v, %v, want %q", what, token, err, want)
			}
		}
		expect("first", "a")
		expect("kept", "a")
		time.Sleep(time.Minute)
		expect("expired", "b")
		before := time.Now()
		source.ResetTokenOlderThan(before)
		expect("reset to the time it was got", "b")
		time.Sleep(time.Second)
		source.ResetTokenOlderThan(time.Now())
		expect("reset", "c")
		base.err = errors.New("down")
		time.Sleep(time.Hour)
		expect("last good one", "c")
		source.ResetTokenOlderThan(time.Now())
		if _, err := source.Token(); !errors.Is(err, base.err) {
			t.Errorf("a token that was rejected is used again: %v", err)
		}
	})
}

func TestResettableTokenSourceWrapTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := &recorder{status: http.StatusUnauthorized}
		rt := ResettableTokenSourceWrapTransport(NewCachedTokenSource(&counter{life: time.Hour}))(next)
		// The first response resets nothing: the token was obtained during the request.
		for _, want := range []string{"Bearer a", "Bearer a", "Bearer b"} {
			send(t, rt, nil)
			if got := next.last().Get("Authorization"); got != want {
				t.Errorf("sent %q, want %q", got, want)
			}
			time.Sleep(time.Second)
		}
	})
}

func TestTokenSourceFails(t *testing.T) {
	down := errors.New("down")
	next := &recorder{}
	rt := TokenSourceWrapTransport(&counter{err: down})(next)
	body := &closeRecorder{Reader: http.NoBody}
	req := httptest.NewRequest(http.MethodPost, "https://server", body)
	if _, err := rt.RoundTrip(req); !errors.Is(err, down) || len(next.seen) > 0 {
		t.Errorf("got %v after %d requests", err, len(next.seen))
	}
	if !body.closed.Load() {
		t.Error("the body of a request that was not sent is still open")
	}
}
