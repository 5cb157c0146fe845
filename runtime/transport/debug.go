package transport

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// DebugLevel determines what NewDebuggingRoundTripper logs.
type DebugLevel int

const (
	// DebugJustURL logs method and URL of requests.
	DebugJustURL DebugLevel = iota
	// DebugURLTiming logs method and URL of requests, status of responses, and how long they took.
	DebugURLTiming
	// DebugCurlCommand logs requests as commands.
	DebugCurlCommand
	// DebugRequestHeaders logs the headers of requests.
	DebugRequestHeaders
	// DebugResponseStatus logs the status of responses.
	DebugResponseStatus
	// DebugResponseHeaders logs the headers of responses.
	DebugResponseHeaders
	// DebugDetailedTiming logs how long the phases of a request took.
	DebugDetailedTiming
	// DebugByContext additionally logs according to the verbosity of the logger in a request's context: from 6
	// (URL and timing) to 9 (everything).
	DebugByContext
)

// levels is a set of DebugLevels.
type levels uint

func levelsOf(all ...DebugLevel) levels {
	var l levels
	for _, level := range all {
		l |= 1 << level
	}
	return l
}

// has reports whether l contains any of some.
func (l levels) has(some ...DebugLevel) bool {
	return l&levelsOf(some...) != 0
}

// byVerbosity contains the levels of each verbosity, the highest first. At 9 the command replaces URL and
// headers of the request.
var byVerbosity = []struct {
	verbosity int
	levels    levels
}{
	{9, levelsOf(DebugCurlCommand, DebugURLTiming, DebugDetailedTiming, DebugResponseHeaders)},
	{8, levelsOf(DebugJustURL, DebugRequestHeaders, DebugResponseStatus, DebugResponseHeaders)},
	{7, levelsOf(DebugJustURL, DebugRequestHeaders, DebugResponseStatus)},
	{6, levelsOf(DebugURLTiming)},
}

// NewDebuggingRoundTripper returns a round tripper that logs according to levels, to the logger in a request's
// context. Values of headers and query parameters are logged if they are known to be harmless; bodies never.
func NewDebuggingRoundTripper(rt http.RoundTripper, levels ...DebugLevel) http.RoundTripper {
	return &debuggingRoundTripper{levels: levelsOf(levels...), next: rt}
}

type debuggingRoundTripper struct {
	levels levels
	next   http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &debuggingRoundTripper{}

func (rt *debuggingRoundTripper) WrappedRoundTripper() http.RoundTripper { return rt.next }

func (rt *debuggingRoundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	logger, l := rt.loggerFor(req)
	verb, url := req.Method, secret.URL(req.URL)

	var kvs []any
	if l.has(DebugJustURL) {
		kvs = append(kvs, "verb", verb, "url", url)
	}
	if l.has(DebugCurlCommand) {
		kvs = append(kvs, "curlCommand", curlCommand(verb, url, req.Header))
	}
	if l.has(DebugRequestHeaders) {
		kvs = append(kvs, "headers", headers(secret.Headers(req.Header)))
	}
	if len(kvs) > 0 {
		logger.Info("Request", kvs...)
	}

	var timing *timing
	if l.has(DebugDetailedTiming) {
		req, timing = withTiming(req, logger)
	}
	start := time.Now()
	resp, err := rt.next.RoundTrip(req)
	duration := time.Since(start)

	var status string
	var header http.Header
	if err == nil {
		status, header = resp.Status, secret.Headers(resp.Header)
	}
	kvs = nil
	if l.has(DebugURLTiming) {
		kvs = append(kvs, "verb", verb, "url", url)
	}
	if l.has(DebugURLTiming, DebugResponseStatus) {
		kvs = append(kvs, "status", status)
	}
	if l.has(DebugResponseHeaders) {
		kvs = append(kvs, "headers", headers(header))
	}
	if l.has(DebugURLTiming, DebugDetailedTiming, DebugResponseStatus) {
		kvs = append(kvs, "milliseconds", duration.Milliseconds())
	}
	if timing != nil {
		kvs = append(kvs, timing.keysAndValues()...)
	}
	if len(kvs) > 0 {
		logger.Info("Response", kvs...)
	}
	return resp, err
}

// loggerFor returns the logger and the levels for req.
func (rt *debuggingRoundTripper) loggerFor(req *http.Request) (klog.Logger, levels) {
	logger := klog.FromContext(req.Context())
	if rt.levels.has(DebugByContext) {
		for _, by := range byVerbosity {
			if logger.V(by.verbosity).Enabled() {
				return logger.V(by.verbosity), rt.levels | by.levels
			}
		}
	}
	return logger, rt.levels
}

// curlCommand returns the request as a command, without its body and with secrets redacted. It ends in a
// newline, so that loggers print it as a block without quoting.
func curlCommand(verb, url string, header http.Header) string {
	var b strings.Builder
	fmt.Fprintf(&b, "curl -v -X%s", verb)
	redacted := secret.Headers(header)
	for _, key := range slices.Sorted(maps.Keys(redacted)) {
		for _, value := range redacted[key] {
			fmt.Fprintf(&b, " -H %q", key+": "+value)
		}
	}
	fmt.Fprintf(&b, " '%s'\n", url)
	return b.String()
}

// headers print sorted, each value on its own line; structured loggers get a map. The values are redacted
// beforehand, since not every logger calls methods.
type headers http.Header

var _ logr.Marshaler = headers{}

func (h headers) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[key] {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	return b.String()
}

// MarshalLog returns a plain map.
func (h headers) MarshalLog() any { return map[string][]string(h) }
