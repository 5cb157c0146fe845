package discovery_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

var faultySeeds = flag.Uint64("seeds", 300, "how many servers with random faults are compared")

// faulty returns a server whose responses are, at random, of either form, cut off, errors, or of the wrong kind.
func faulty(r *rand.Rand) map[string]answer {
	answers := legacyServer()
	if r.IntN(3) > 0 {
		answers = modernServer()
	}
	errors := []answer{
		failure(http.StatusForbidden, "Forbidden"), failure(http.StatusServiceUnavailable, "ServiceUnavailable"),
		failure(http.StatusNotFound, "NotFound"), failure(http.StatusInternalServerError, "InternalError"),
		failure(http.StatusNotAcceptable, "NotAcceptable"), failure(http.StatusGatewayTimeout, "Timeout"),
		{code: http.StatusUnauthorized, contentType: "text/plain", body: "Unauthorized"},
		{code: http.StatusServiceUnavailable, contentType: "text/plain", body: "service unavailable"},
		{code: http.StatusNoContent}, {code: http.StatusOK, body: ""},
	}
	paths := []string{"/api", "/api/v1", "/apis", "/apis/apps/v1", "/apis/apps/v1beta1", "/apis/example.com/v1alpha1", "/apis/example.com/v2"}
	for _, path := range paths {
		a := answers[path]
		switch r.IntN(9) {
		case 0:
			a = errors[r.IntN(len(errors))]
		case 1:
			delete(answers, path)
			continue
		case 2: // cut off; the server had announced more, or not
			a.cut = 1 + r.IntN(len(a.body))
			a.unannounced = r.IntN(2) == 0
		case 3:
			// Not at /api and /apis: of groups that come twice, ours and client-go keep other parts. Nor is it a Status: with
			// code 200, that is another error in client-go.
			if other := answers[paths[r.IntN(len(paths))]]; path != "/api" && path != "/apis" && other.code == 0 {
				a.body = other.body
			}
		case 4:
			a.contentType = []string{"text/html", "application/json;as=Other", "application/json; charset=utf-8", aggregatedJSON}[r.IntN(4)]
		case 5:
			a.aggregated = []string{"", `{"items":null}`, `{}`}[r.IntN(3)]
			// Beside a core group without resources, client-go does not report what is stale.
			if path == "/apis" && answers["/api"].aggregated != "" && r.IntN(2) == 0 {
				a.aggregated = staleAggregated
			}
		}
		answers[path] = a
	}
	return answers
}

// TestFaults lets both clients discover what servers with random faults serve.
func TestFaults(t *testing.T) {
	klog.SetLogger(logr.Discard())
	for seed := range *faultySeeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			answers := faulty(rand.New(rand.NewPCG(seed, 1)))
			for _, f := range []form{{}, {noPeer: true}, {legacy: true}} {
				for call := range calls {
					compare(t, &server{answers: answers}, f, call)
				}
			}
			if t.Failed() {
				for path, a := range answers {
					t.Logf("%s: %+v", path, a)
				}
			}
		})
		if t.Failed() {
			return
		}
	}
}
