package embedded

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/filters/impersonation"
	"k8s.io/apiserver/pkg/endpoints/request"
	serverfilters "k8s.io/apiserver/pkg/server/filters"

	"github.com/listwatch/listwatch/apitest/internal/fault"
	"github.com/listwatch/listwatch/apitest/internal/status"
)

// requestTimeout is the time limit of requests other than watches.
const requestTimeout = time.Minute

// requestInfo parses requests.
var requestInfo = &request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// newHandler wraps next in, from the outside in: recovery from panics, request info, the deadline,
// the log of requests, authentication, faults, and authorization.
func newHandler(auth authenticator.Request, authorize authorizer.AuthorizerFunc, faults *fault.Injector, log *requestLog, next http.Handler) http.Handler {
	longRunning := serverfilters.BasicLongRunningRequestCheck(
		sets.NewString("watch", "proxy"),
		sets.NewString("attach", "exec", "proxy", "log", "portforward"))
	handler := filters.WithAuthorization(next, authorize, status.Codecs)
	handler = faults.Wrap(handler)
	handler = withRequester(handler)
	handler = impersonation.WithConstrainedImpersonation(handler, authorize, status.Codecs)
	handler = filters.WithAuthentication(handler, auth, filters.Unauthorized(status.Codecs), apiAudiences, nil)
	handler = log.wrap(handler)
	handler = filters.WithWarningRecorder(handler)
	handler = serverfilters.WithTimeoutForNonLongRunningRequests(handler, longRunning)
	handler = withBodyDeadline(handler)
	handler = filters.WithRequestDeadline(handler, nil, nil, longRunning, status.Codecs, requestTimeout)
	handler = filters.WithCacheControl(handler)
	handler = filters.WithRequestInfo(handler, requestInfo)
	handler = filters.WithRequestReceivedTimestamp(handler)
	handler = withRecovery(handler)
	return filters.WithAuditInit(handler)
}

// withRecovery responds with 500 to a request whose handler panics, in the words of the real server. Only
// deliberate aborts are passed on.
func withRecovery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer func() {
			reason := recover()
			if reason == nil {
				return
			}
			if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			slog.ErrorContext(req.Context(), "handler of an API request panics",
				"method", req.Method, "uri", req.RequestURI, "panic", reason, "stack", string(debug.Stack()))
			http.Error(w, "This request caused apiserver to panic. Look in the logs for details.", http.StatusInternalServerError)
		}()
		next.ServeHTTP(w, req)
	})
}
