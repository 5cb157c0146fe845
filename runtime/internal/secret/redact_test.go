package secret_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

func TestHost(t *testing.T) {
	for name, test := range map[string]struct{ host, want string }{
		"nothing to hide":        {"https://server:6443/prefix", "https://server:6443/prefix"},
		"no scheme":              {"server:6443", "server:6443"},
		"password":               {"https://user:pw@server:6443/prefix", "https://REDACTED@server:6443/prefix"},
		"password, no scheme":    {"user:pw@server:6443", "REDACTED@server:6443"},
		"password with a slash":  {"https://user:p/w@server", "https://REDACTED@server"},
		"password with an at":    {"https://user:p@w@server", "https://REDACTED@server"},
		"password like a scheme": {"pw://x@server", "REDACTED@server"},
		"query":                  {"https://server/?token=abc", "https://server/?REDACTED"},
		"empty":                  {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := secret.Host(test.host); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestURL(t *testing.T) {
	for name, test := range map[string]struct{ url, want string }{
		"harmless":     {"https://h/api/v1/pods?watch=true&resourceVersion=12&labelSelector=a%3Db", "https://h/api/v1/pods?watch=true&resourceVersion=12&labelSelector=a%3Db"},
		"password":     {"https://user:pw@h/api", "https://REDACTED@h/api"},
		"token":        {"https://h/api?token=pw&limit=5", "https://h/api?token=REDACTED&limit=5"},
		"strange name": {"https://h/api?p/w=1", "https://h/api?REDACTED=REDACTED"},
		"no value":     {"https://h/api?pw", "https://h/api?REDACTED=REDACTED"},
		"fragment":     {"https://h/api#pw", "https://h/api"},
		"escaped path": {"https://h/a%2Fb", "https://h/a%2Fb"},
		"opaque":       {"mailto:pw", "mailto:REDACTED"},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := url.Parse(test.url)
			if err != nil {
				t.Fatal(err)
			}
			if got := secret.URL(u); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if got := secret.URL(nil); got != "" {
		t.Errorf("of no URL: %q", got)
	}
}

func TestHeaders(t *testing.T) {
	got := secret.Headers(http.Header{
		"Accept":              {"application/json"},
		"user-agent":          {"me"},
		"Authorization":       {"Bearer pw", "Basic pw", "pw", "Digest pw", ""},
		"Impersonate-User":    {"pw"},
		"Impersonate-Extra-A": {"pw", "pw"},
		"X-Api-Key":           {"pw"},
	})
	want := http.Header{
		"Accept":              {"application/json"},
		"user-agent":          {"me"},
		"Authorization":       {"Bearer REDACTED", "Basic REDACTED", "REDACTED", "REDACTED", ""},
		"Impersonate-User":    {"REDACTED"},
		"Impersonate-Extra-A": {"REDACTED", "REDACTED"},
		"X-Api-Key":           {"REDACTED"},
	}
	for key := range want {
		if strings.Join(got[key], "|") != strings.Join(want[key], "|") {
			t.Errorf("%s: got %q, want %q", key, got[key], want[key])
		}
	}
}

// FuzzHeader plants a secret in a header that is not known to be harmless.
func FuzzHeader(f *testing.F) {
	for _, key := range []string{"Authorization", "authorization", "Cookie", "Accept ", "X-Auth-Token", "Impersonate-User", ""} {
		f.Add(key, "Bearer ", "")
	}
	f.Fuzz(func(t *testing.T, key, before, after string) {
		harmless := secret.Header(key, []string{"probe"})[0] == "probe"
		got := strings.Join(secret.Header(key, []string{before + planted + after}), "\n")
		if !harmless && strings.Contains(got, planted) {
			t.Errorf("header %q shows %q", key, got)
		}
		if harmless && strings.Contains(strings.ToLower(key), "auth") {
			t.Errorf("header %q passes for harmless", key)
		}
	})
}

// FuzzURL plants a secret in the password, a query parameter and the fragment of a URL.
func FuzzURL(f *testing.F) {
	f.Add("host:443", "/api/v1", "token", "limit=1", "user")
	f.Add("", "", "", "", "")
	f.Add("[::1]:80", "//x", "watch=1&a", "%zz&;", "a:b")
	f.Fuzz(func(t *testing.T, host, path, name, query, user string) {
		for _, harmless := range []string{"limit", "watch", "continue", "labelSelector", "fieldSelector", "resourceVersion"} {
			if name == harmless {
				return
			}
		}
		if strings.ContainsAny(name, "&=") || strings.HasSuffix(query, "=") {
			return
		}
		u := &url.URL{Scheme: "https", Host: host, Path: path, User: url.UserPassword(user, planted), Fragment: planted}
		u.RawQuery = query + "&" + url.QueryEscape(name) + "!=" + planted + "&" + planted
		if got := secret.URL(u); strings.Contains(got, planted) {
			t.Errorf("%q shows the secret", got)
		}
	})
}

// FuzzHost plants a secret before the last "@" of a host.
func FuzzHost(f *testing.F) {
	f.Add("https://", "user:", "@host")
	f.Add("", "", "@host:6443/path")
	f.Add("x://", "a@", "b@c?d")
	f.Add("https://", "", "?@")
	f.Fuzz(func(t *testing.T, scheme, user, rest string) {
		if !strings.Contains(rest, "@") {
			return
		}
		if got := secret.Host(scheme + user + planted + rest); strings.Contains(got, planted) {
			t.Errorf("%q shows the secret", got)
		}
	})
}
