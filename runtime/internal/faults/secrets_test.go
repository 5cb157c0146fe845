package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/rest"
)

// The secrets, which are planted in every possible place. They contain characters that are escaped
// in URLs and in JSON.
const (
	theToken    = "T0ken+seven/sisters==&more"
	thePassword = `P4ss/word+"for"=us&all`
	theOther    = "0ther+secret/of=servers&co"
	theExtra    = "3xtra+field/of=jane&doe"
	theEnv      = "3nvironment+of/the=plugin&co"
	theHost     = "H0st-user-info-is-a-password"
	theProxy    = "Pr0xy-user-info-is-a-password"
	theBody     = "B0dy+of/an=object&it"
)

// credential is a way to give secrets to a client.
type credential struct {
	name    string
	plant   func(t *testing.T, c *rest.Config)
	arrives func(*http.Request) bool // whether the server received it
}

func bearer(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+theToken }

var credentials = []credential{
	{"token", func(_ *testing.T, c *rest.Config) { c.BearerToken = theToken }, bearer},
	{"token file", func(t *testing.T, c *rest.Config) { c.BearerTokenFile = file(t, theToken) }, bearer},
	{"password", func(_ *testing.T, c *rest.Config) { c.Username, c.Password = "jane", thePassword }, func(r *http.Request) bool {
		_, password, ok := r.BasicAuth()
		return ok && password == thePassword
	}},
	{"program", func(t *testing.T, c *rest.Config) {
		c.ExecProvider = program(t, credentialOf(t))
		c.CertData, c.KeyData = nil, nil // a client with a certificate does not use it
	}, bearer},
	{"impersonation", func(_ *testing.T, c *rest.Config) {
		c.BearerToken = theToken
		c.Impersonate = rest.ImpersonationConfig{UserName: "jane", Extra: map[string][]string{"scopes": {theExtra}}}
	}, func(r *http.Request) bool { return bearer(r) && r.Header.Get("Impersonate-Extra-Scopes") == theExtra }},
	{"URL of the host", func(t *testing.T, c *rest.Config) {
		u, err := url.Parse(c.Host)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.UserPassword("jane", theHost)
		c.Host = u.String()
	}, func(r *http.Request) bool {
		_, password, ok := r.BasicAuth()
		return ok && password == theHost
	}},
}

var secrets = []string{theToken, thePassword, theOther, theExtra, theEnv, theHost, theProxy, theBody}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// program returns the config of a program that prints a text.
func program(t *testing.T, prints string) *api.ExecConfig {
	t.Helper()
	return &api.ExecConfig{
		Command:         "/bin/sh",
		Args:            []string{"-c", `cat "$0"`, file(t, prints), "--secret=" + theEnv},
		Env:             []api.ExecEnvVar{{Name: "SECRET", Value: theEnv}},
		APIVersion:      "client.authentication.k8s.io/v1",
		InteractiveMode: api.NeverExecInteractiveMode,
	}
}

func credentialOf(t *testing.T) string {
	t.Helper()
	token, err := json.Marshal(theToken)
	if err != nil {
		t.Fatal(err)
	}
	return `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":` + string(token) + `}}`
}

// secretFaults are responses that contain secrets, or that make a client log.
func secretFaults(dead string) []fault {
	body := func(good string) string {
		data, _ := json.Marshal(theBody) // encoding a string never fails
		return strings.NewReplacer(`"Moby-Dick"`, string(data), `"Emma"`, string(data), `"v1.37.2"`, string(data), `"library.example.com"`, string(data)).Replace(good)
	}
	replaced := func(old, new string) answer {
		return changed(func(good string) string { return strings.ReplaceAll(body(good), old, new) })
	}
	return []fault{
		{name: "well", answer: changed(body)},
		{name: "warning", answer: answer(well).with("Warning", `299 - "this is old"`).with("Set-Cookie", "session="+url.QueryEscape(theOther))},
		{name: "unauthorized", answer: refuse(http.StatusUnauthorized, "Unauthorized", "Unauthorized", "").with("WWW-Authenticate", "Bearer "+theOther)},
		{name: "refused", answer: status(http.StatusInternalServerError, "application/json", `{"secret":"`+theOther+`"}`).with("X-Secret", theOther)},
		{name: "asked to wait", answer: everyOther(status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "0"))},
		{name: "cut", answer: func(w http.ResponseWriter, _ *http.Request, good string) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "99999")
			_, _ = w.Write([]byte(body(good)))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}},
		{name: "not JSON", answer: status(http.StatusOK, "application/json", theBody)},
		{name: "another format", answer: status(http.StatusOK, "application/secret", theBody)},
		{name: "without a kind", answer: status(http.StatusOK, "application/json", `{"token":"`+theBody+`"}`)},
		{name: "frame without a kind", answer: status(http.StatusOK, "application/json", `{"type":"ADDED","object":{"token":"`+theBody+`"}}`)},
		{name: "frame without a version", answer: status(http.StatusOK, "application/json", `{"type":"ADDED","object":{"kind":"Book","token":"`+theBody+`"}}`)},
		{name: "without a version", answer: status(http.StatusOK, "application/json", `{"kind":"Book","token":"`+theBody+`"}`)},
		{name: "text for a number", answer: replaced(`"pages":`, `"pages":"`+theBody+`","other":`)},
		{name: "text for a list", answer: replaced(`"metadata":{`, `"metadata":{"finalizers":"`+theBody+`",`)},
		{name: "text for an object", answer: replaced(`"spec":`, `"spec":"`+theBody+`","other":`)},
		{name: "bad escape", answer: replaced(`"spec":{`, `"spec":{"note":"`+theBody+`\q",`)},
		{name: "bad literal", answer: replaced(`"spec":{`, `"spec":{"note":`+theBody+`,`)},
		{name: "bad name", answer: replaced(`"spec":{`, `"spec":{`+theBody+`,`)},
		{name: "redirect in a loop", answer: func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, "/loop?token="+url.QueryEscape(theOther), http.StatusTemporaryRedirect)
		}},
		{name: "redirect to nobody", answer: func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, "http://jane:"+theProxy+"@"+dead+"/?token="+url.QueryEscape(theOther), http.StatusTemporaryRedirect)
		}},
		{name: "redirect to no URL", answer: func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Location", "http://jane:"+theProxy+"@[::1")
			w.WriteHeader(http.StatusFound)
		}},
	}
}

// everyOther responds to the first request with a, to the second correctly, and so on: a client
// that retries succeeds immediately.
func everyOther(a answer) answer {
	var requests atomic.Int32
	return func(w http.ResponseWriter, r *http.Request, good string) {
		if requests.Add(1)%2 == 0 {
			well(w, r, good)
			return
		}
		a(w, r, good)
	}
}

// nobody returns an address without a listener.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// secretServer runs a server with a fault that records whether a credential arrives.
func secretServer(t *testing.T, ca *testcert.CA, f fault, by credential) (server *httptest.Server, arrived *atomic.Bool) {
	t.Helper()
	arrived = new(atomic.Bool)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if by.arrives(r) {
			arrived.Store(true)
		}
		f.answer.handler(w, r)
	}))
	server.TLS = serverTLS(ca.Server(t))
	server.Config.ErrorLog = quiet
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, arrived
}

// TestCredentialsStaySecret plants credentials and searches for them in all output of calls, at
// every verbosity.
func TestCredentialsStaySecret(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "jane")
	planted := append([]string{strings.Split(string(key), "\n")[1]}, secrets...)
	for _, f := range secretFaults(nobody(t)) {
		for _, by := range credentials {
			if f.name != "well" && by.name != "token" && f.name != "unauthorized" {
				continue // the response makes no difference for the others
			}
			t.Run(f.name+"/"+by.name, func(t *testing.T) {
				s, arrived := secretServer(t, ca, f, by)
				for _, verbosity := range []int{0, 5, 6, 7, 8, 10} {
					if f.name != "well" && verbosity < 10 {
						continue
					}
					out := capture(t, verbosity)
					config := &rest.Config{
						Host:            s.URL,
						TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM, CertData: cert, KeyData: key},
						Proxy:           noProxy,
					}
					by.plant(t, config)
					for _, ctx := range []context.Context{t.Context(), out.context(t.Context(), verbosity)} {
						errorsOf(ctx, t, config, planted)
					}
					text := out.text(t)
					hidden(t, fmt.Sprintf("log at verbosity %d", verbosity), text, planted...)
					if verbosity >= 6 && !strings.Contains(text, "127.0.0.1") {
						t.Errorf("nothing is logged at verbosity %d", verbosity)
					}
				}
				if !arrived.Load() {
					t.Error("the secret was not sent")
				}
			})
		}
	}
}

// errorsOf makes all calls and searches their errors for secrets.
func errorsOf(ctx context.Context, t *testing.T, config *rest.Config, planted []string) {
	t.Helper()
	clientset := clients(t, config)
	for _, c := range calls {
		if o := c.do(ctx, clientset); o.err != nil {
			hidden(t, c.name, spelled(o.err), planted...)
		}
	}
}

// TestPrintedClientsStaySecret prints all values that a program may have.
func TestPrintedClientsStaySecret(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "jane")
	planted := append([]string{strings.Split(string(key), "\n")[1]}, secrets...)
	for _, by := range credentials {
		t.Run(by.name, func(t *testing.T) {
			config := &rest.Config{Host: "https://server.test", TLSClientConfig: rest.TLSClientConfig{CAData: ca.PEM, CertData: cert, KeyData: key}}
			config.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy.test", User: url.UserPassword("jane", theProxy)})
			by.plant(t, config)
			httpClient, err := rest.HTTPClientFor(config)
			if err != nil {
				t.Fatal(err)
			}
			clientset, err := versioned.NewForConfigAndClient(config, httpClient)
			if err != nil {
				t.Fatal(err)
			}
			transportConfig, err := config.TransportConfig()
			if err != nil {
				t.Fatal(err)
			}
			request := clientset.LibraryV1().RESTClient().Put().Name("moby").SetHeader("Authorization", theToken).Body([]byte(theBody))
			for _, v := range []any{
				request, *request, struct{ R rest.Request }{*request},
				config, *config, transportConfig, *transportConfig, httpClient, httpClient.Transport,
				clientset, clientset.LibraryV1().Books("lib"), clientset.LibraryV1().RESTClient(), clientset.Discovery(),
			} {
				for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
					hidden(t, fmt.Sprintf("%T in %s", v, format), fmt.Sprintf(format, v), planted...)
				}
				data, _ := json.Marshal(v) // a value that cannot be encoded shows nothing
				hidden(t, fmt.Sprintf("JSON of %T", v), string(data), planted...)
			}
		})
	}
}

// TestPrintedResultStaysSecret prints a result.
func TestPrintedResultStaysSecret(t *testing.T) {
	s := start(t, nil, http.HandlerFunc(status(http.StatusOK, "application/json", theBody).handler))
	result := clients(t, &rest.Config{Host: s.URL, Proxy: noProxy}).LibraryV1().RESTClient().Get().Name("moby").Do(t.Context())
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		hidden(t, format, fmt.Sprintf(format, result)+fmt.Sprintf(format, &result), secrets...)
	}
	if body, err := result.Raw(); err != nil || string(body) != theBody {
		t.Errorf("got %q, %v", body, err)
	}
}

// spelled returns an error and all errors that it wraps, printed in every way.
func spelled(err error) string {
	var b strings.Builder
	for e := err; e != nil; {
		data, _ := json.Marshal(e) // a value that cannot be encoded shows nothing
		fmt.Fprintf(&b, "%v\n%+v\n%#v\n%q\n%s\n", e, e, e, e, data)
		unwrapped, ok := e.(interface{ Unwrap() error })
		if !ok {
			break
		}
		e = unwrapped.Unwrap()
	}
	return b.String()
}

// TestPanicsTellNoSecret checks that panics of a user's code that pass through a client, and a
// client's own panics, contain no secrets.
func TestPanicsTellNoSecret(t *testing.T) {
	for name, panics := range map[string]func(*rest.Config){
		"transport": func(c *rest.Config) {
			c.BearerToken = theToken
			c.WrapTransport = func(http.RoundTripper) http.RoundTripper { return panicking{} }
			_ = calls[0].do(context.Background(), versioned.NewForConfigOrDie(c))
		},
		"host": func(c *rest.Config) {
			c.Host = "https://jane:" + theHost + "@[::1"
			versioned.NewForConfigOrDie(c)
		},
		"name and token": func(c *rest.Config) {
			c.Username, c.Password, c.BearerToken = "jane", thePassword, theToken
			versioned.NewForConfigOrDie(c)
		},
		"key": func(c *rest.Config) {
			c.CertData, c.KeyData = []byte(theOther), []byte(theToken)
			versioned.NewForConfigOrDie(c)
		},
		"root certificates": func(c *rest.Config) {
			c.CAData = []byte(theOther)
			versioned.NewForConfigOrDie(c)
		},
		"program": func(c *rest.Config) {
			c.ExecProvider = &api.ExecConfig{Command: "/bin/sh", APIVersion: theOther, Args: []string{theToken}, Env: []api.ExecEnvVar{{Name: "A", Value: theEnv}}}
			c.ExecProvider.APIVersion = "client.authentication.k8s.io/v9"
			versioned.NewForConfigOrDie(c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := capture(t, 10)
			func() {
				defer func() {
					what := recover()
					if what == nil {
						t.Fatal("there is no panic")
					}
					hidden(t, "panic", fmt.Sprintf("%v %+v %#v\n%s", what, what, what, debug.Stack()), secrets...)
				}()
				panics(&rest.Config{Host: "https://server.test", Proxy: noProxy})
			}()
			hidden(t, "log", out.text(t), secrets...)
		})
	}
}

// panicking is a transport that panics.
type panicking struct{}

func (panicking) RoundTrip(r *http.Request) (*http.Response, error) {
	panic("no transport for " + r.Method)
}
