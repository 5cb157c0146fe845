package apitest

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/filters/impersonation"
	"k8s.io/apiserver/pkg/endpoints/request"
	serverfilters "k8s.io/apiserver/pkg/server/filters"

	"github.com/listwatch/listwatch/apitest/internal/fault"
)

// requestTimeout is the time limit of requests other than watches.
const requestTimeout = time.Minute

// requestInfo parses requests.
var requestInfo = &request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// statusCodecs encode errors that arise before a request gets to its resource.
var statusCodecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme)
}()

// newHandler wraps next in, from the outside in: recovery from panics, request info, the deadline,
// the log of requests, authentication, faults, and authorization.
func newHandler(auth authenticator.Request, may authorizer.Authorizer, faults *fault.Injector, log *requestLog, next http.Handler) http.Handler {
	longRunning := serverfilters.BasicLongRunningRequestCheck(
		sets.NewString("watch", "proxy"),
		sets.NewString("attach", "exec", "proxy", "log", "portforward"))
	handler := filters.WithAuthorization(next, may, statusCodecs)
	handler = faults.Wrap(handler)
	handler = withRequester(handler)
	handler = impersonation.WithConstrainedImpersonation(handler, may, statusCodecs)
	handler = filters.WithAuthentication(handler, auth, filters.Unauthorized(statusCodecs), apiAudiences, nil)
	handler = log.wrap(handler)
	handler = filters.WithWarningRecorder(handler)
	handler = serverfilters.WithTimeoutForNonLongRunningRequests(handler, longRunning)
	handler = withBodyDeadline(handler)
	handler = filters.WithRequestDeadline(handler, nil, nil, longRunning, statusCodecs, requestTimeout)
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
