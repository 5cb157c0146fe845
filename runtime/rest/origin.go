package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// origin is the request that an answer, or an error, belongs to. The zero origin is an unknown one.
type origin struct {
	method     string
	url        *url.URL
	redirected bool // the URL is the server's choice
}

// originOf returns the request that a response answers, which is not the one that was sent where the
// server sent the client elsewhere.
func (r *Request) originOf(resp *http.Response) origin {
	if resp.Request == nil || resp.Request.URL == nil {
		return origin{method: r.method(), url: r.URL()}
	}
	return origin{cmp.Or(resp.Request.Method, http.MethodGet), resp.Request.URL, resp.Request.Response != nil}
}

// tell returns err with the method and the URL, in the way of net/http. What the server says stays as it is, and so
// do errors that apimachinery knows by their types only.
func (o origin) tell(err error) error {
	//nolint:errorlint // one that is wrapped is the cause of another error
	if _, refused := err.(*apierrors.StatusError); refused || o.url == nil || err == nil || runtime.IsNotRegisteredError(err) || runtime.IsMissingKind(err) || runtime.IsMissingVersion(err) {
		return err
	}
	op := o.method[:1] + strings.ToLower(o.method[1:])
	text := redacted
	if o.redirected {
		text = secret.URL
	}
	return &url.Error{Op: op, URL: text(o.url), Err: err}
}
