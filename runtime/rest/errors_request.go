package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// requestRef names the request that a response or an error belongs to. The zero requestRef names none.
type requestRef struct {
	method string
	url    *url.URL
}

// requestOf names the request that resp belongs to, which after a redirect is not the one that was sent.
func (r *Request) requestOf(resp *http.Response) requestRef {
	if resp.Request == nil || resp.Request.URL == nil {
		return requestRef{method: r.method(), url: r.URL()}
	}
	return requestRef{cmp.Or(resp.Request.Method, http.MethodGet), resp.Request.URL}
}

// wrap returns err with the method and the URL, as net/http does. Errors from the server are returned unchanged, and
// so are those that apimachinery recognizes by their types only, and all if [compat.IsClientGo].
func (o requestRef) wrap(err error) error {
	if compat.IsClientGo() {
		return err
	}
	//nolint:errorlint // one that is wrapped is the cause of another error
	if _, refused := err.(*apierrors.StatusError); refused || o.url == nil || err == nil || runtime.IsNotRegisteredError(err) || runtime.IsMissingKind(err) || runtime.IsMissingVersion(err) {
		return err
	}
	op := o.method[:1] + strings.ToLower(o.method[1:])
	return &url.Error{Op: op, URL: secret.URL(o.url), Err: err}
}
