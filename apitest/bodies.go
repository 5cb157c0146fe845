package apitest

import (
	"net/http"
	"time"
)

// withBodyDeadline ends the reading of a body when its request has had its time, and been
// answered. Over HTTP/1, net/http sends no answer to its end while somebody waits for more of
// the body.
func withBodyDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(w, req)
		if req.ProtoMajor == 1 && req.Context().Err() != nil {
			// Where no deadline can be set, there is no connection to wait for.
			_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
		}
	})
}
