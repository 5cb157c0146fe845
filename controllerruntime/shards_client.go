package controllerruntime

import (
	"fmt"
	"net/http"

	"github.com/listwatch/listwatch/kubernetes/shards"
)

// checkWrites returns a client that sends no writes of a reconcile whose object's slot was lost, see [NewShardedReconciler].
func checkWrites(client *http.Client, ring *shards.Ring) *http.Client {
	out := *client
	out.Transport = writeChecker{out.Transport, ring}
	return &out
}

// writeChecker is a transport, so that nothing waits between the check and the request, such as for a limit of requests.
type writeChecker struct {
	next http.RoundTripper
	ring *shards.Ring
}

// RoundTrip implements [http.RoundTripper].
func (c writeChecker) RoundTrip(request *http.Request) (*http.Response, error) {
	next := c.next
	if next == nil {
		next = http.DefaultTransport
	}
	key, works := request.Context().Value(workKey{}).(string)
	if works && request.Method != http.MethodGet {
		if err := c.ring.Check(request.Context(), key); err != nil {
			if request.Body != nil {
				_ = request.Body.Close() // as a transport must
			}
			return nil, fmt.Errorf("write of a reconcile: %w", err)
		}
	}
	return next.RoundTrip(request)
}

// WrappedRoundTripper returns the transport below, for those who look for one.
func (c writeChecker) WrappedRoundTripper() http.RoundTripper { return c.next }
