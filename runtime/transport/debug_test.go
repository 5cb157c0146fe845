package transport

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// loggers write to a buffer at a verbosity, in every format.
var loggers = map[string]func(w io.Writer, verbosity int) logr.Logger{
	"text": func(w io.Writer, v int) logr.Logger {
		return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(w), textlogger.Verbosity(v)))
	},
	"funcr": func(w io.Writer, v int) logr.Logger {
		return funcr.New(func(_, args string) { _, _ = io.WriteString(w, args+"\n") }, funcr.Options{Verbosity: v})
	},
	"slog": func(w io.Writer, v int) logr.Logger {
		return logr.FromSlogHandler(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.Level(-v)}))
	},
}

// TestNothingSecretIsLogged plants secrets in all places of a request and its response, and logs it
// in all ways.
func TestNothingSecretIsLogged(t *testing.T) {
	const planted = "s3cr3t"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", planted)
		w.Header().Set("X-Custom", planted)
		w.Header().Set("Location", "https://user:"+planted+"@host/?token="+planted)
		_, _ = io.WriteString(w, planted)
	}))
	defer server.Close()
	for name, newLogger := range loggers {
		for verbosity := range 11 {
			t.Run(fmt.Sprintf("%s at %d", name, verbosity), func(t *testing.T) {
				var out bytes.Buffer
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				for _, levels := range [][]DebugLevel{
					{DebugByContext},
					{DebugJustURL, DebugURLTiming, DebugCurlCommand, DebugRequestHeaders, DebugResponseStatus, DebugResponseHeaders, DebugDetailedTiming},
				} {
					rt, err := HTTPWrappersForConfig(&Config{
						BearerToken: planted,
						Impersonate: ImpersonationConfig{UserName: planted, Extra: map[string][]string{"k": {planted}}},
						UserAgent:   "me",
					}, NewDebuggingRoundTripper(transport, levels...))
					if err != nil {
						t.Fatal(err)
					}
					ctx := klog.NewContext(t.Context(), newLogger(&out, verbosity))
					url := strings.Replace(server.URL, "http://", "http://user:"+planted+"@", 1) + "/api?limit=5&token=" + planted
					req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(planted))
					if err != nil {
						t.Fatal(err)
					}
					req.Header.Set("X-Api-Key", planted)
					resp, err := rt.RoundTrip(req)
					if err != nil {
						t.Fatal(err)
					}
					drain(resp)
				}
				if got := out.String(); strings.Contains(got, planted) {
					t.Errorf("the secret is in the log:\n%s", got)
				} else if !strings.Contains(got, "limit=5") || !strings.Contains(got, "REDACTED") {
					t.Errorf("the log does not show the request:\n%s", got)
				}
			})
		}
	}
}

func TestLoggedByVerbosity(t *testing.T) {
	for verbosity, want := range map[int][]string{
		5: nil,
		6: {`"Response"`, `verb="GET"`, `url="https://server/api"`, "status=", "milliseconds="},
		7: {`"Request"`, `verb="GET"`, `url="https://server/api"`, "Accept: a", `"Response"`, "status=", "milliseconds="},
		8: {`"Request"`, `url="https://server/api"`, "Accept: a", `"Response"`, "Server: s", "milliseconds="},
		9: {`"Request"`, `curl -v -XGET -H "Accept: a" -H "Authorization: Bearer REDACTED" 'https://server/api'`, `"Response"`, `url="https://server/api"`, "Server: s", "dialMilliseconds=", "serverProcessingMilliseconds="},
	} {
		t.Run(fmt.Sprint(verbosity), func(t *testing.T) {
			var out bytes.Buffer
			rt := NewDebuggingRoundTripper(roundTripperFunc(func(req *http.Request) (*http.Response, error) {
				trace(req.Context())
				return &http.Response{Status: "200 OK", StatusCode: http.StatusOK, Header: http.Header{"Server": {"s"}}, Body: http.NoBody}, nil
			}), DebugByContext)
			req := httptest.NewRequest(http.MethodGet, "https://server/api", nil)
			req.Header.Set("Accept", "a")
			req.Header.Set("Authorization", "Bearer t")
			if _, err := rt.RoundTrip(req.WithContext(klog.NewContext(t.Context(), loggers["text"](&out, verbosity)))); err != nil {
				t.Fatal(err)
			}
			for _, part := range want {
				if !strings.Contains(out.String(), part) {
					t.Errorf("no %s in\n%s", part, out.String())
				}
			}
			if len(want) == 0 && out.Len() > 0 {
				t.Errorf("logged\n%s", out.String())
			}
		})
	}
}

// trace calls the hooks of the request's trace like a transport.
func trace(ctx context.Context) {
	if trace := httptrace.ContextClientTrace(ctx); trace != nil {
		trace.GetConn("server")
		trace.GotConn(httptrace.GotConnInfo{})
		trace.WroteRequest(httptrace.WroteRequestInfo{})
		<-time.After(time.Millisecond)
		trace.GotFirstResponseByte()
	}
}

func TestDebugWrappers(t *testing.T) {
	next := &recorder{}
	if DebugWrappers(next) != http.RoundTripper(next) {
		t.Error("wrapped at verbosity 0")
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	defer func() { _ = flags.Set("v", "0") }()
	if err := flags.Set("v", "6"); err != nil {
		t.Fatal(err)
	}
	if _, ok := DebugWrappers(next).(*debuggingRoundTripper); !ok {
		t.Error("not wrapped at verbosity 6")
	}
}

func TestFailedRequestIsLogged(t *testing.T) {
	var out bytes.Buffer
	rt := NewDebuggingRoundTripper(&http.Transport{DialContext: noDial.Dial}, DebugByContext)
	ctx := klog.NewContext(t.Context(), loggers["text"](&out, 9))
	req := httptest.NewRequest(http.MethodGet, "https://server/api", nil).WithContext(ctx)
	if _, err := rt.RoundTrip(req); err == nil {
		t.Fatal("no error")
	}
	if !strings.Contains(out.String(), `"Response"`) {
		t.Errorf("logged\n%s", out.String())
	}
}
