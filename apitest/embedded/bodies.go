package embedded

import (
	"net/http"
	"time"
)

// withBodyDeadline stops reading a body when its request has timed out and the response was sent. Over HTTP/1,
// net/http does not finish a response while a reader waits for more of the body.
func withBodyDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(w, req)
		if req.ProtoMajor == 1 && req.Context().Err() != nil {
			// If no deadline can be set, there is no connection to wait for.
			_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
		}
	})
}
