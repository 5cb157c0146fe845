package fault_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"

	"github.com/listwatch/listwatch/apitest/internal/fault"
)

// wrap places an injector before a handler, as a server does.
func wrap(i *fault.Injector, next http.Handler) http.Handler {
	wrapped := i.Wrap(next)
	asUser := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx := request.WithUser(req.Context(), &user.DefaultInfo{Name: req.Header.Get("User")})
		wrapped.ServeHTTP(w, req.WithContext(ctx))
	})
	return filters.WithRequestInfo(asUser, &request.RequestInfoFactory{
		APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
	})
}

// fine responds to all requests with "fine".
var fine = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, "fine")
})

// ask sends a request through an injector without a network.
func ask(t *testing.T, i *fault.Injector, method, target, user string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(method, target, nil)
	req.Header.Set("User", user)
	w := httptest.NewRecorder()
	wrap(i, fine).ServeHTTP(w, req)
	return w
}
