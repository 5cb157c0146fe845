package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

// defaultRetries is the number of retries of a request.
const defaultRetries = 10

// HTTPClient sends requests. *http.Client implements it.
type HTTPClient interface {
	Do(req *http.Request) (*http.Response, error)
}

// ResponseWrapper is a request that returns the bytes of its response, at once or as a stream.
type ResponseWrapper interface {
	DoRaw(context.Context) ([]byte, error)
	Stream(context.Context) (io.ReadCloser, error)
}

var _ ResponseWrapper = (*Request)(nil)

// Request is a request that is being built. Its methods configure it and return it; the first error is kept
// until the request is sent, so it needs to be checked only once. [Request.Do] and similar methods send it.
//
// A Request must not be modified while another goroutine uses it. It can be sent several times, also
// concurrently, unless its body is an io.Reader.
type Request struct {
	c *RESTClient

	content   ClientContentConfig
	defaulted bool // the content type was not set by the user

	warningHandler WarningHandlerWithContext
	rateLimiter    flowcontrol.RateLimiter
	backoff        BackoffManagerWithContext
	timeout        time.Duration
	maxRetries     int
	maxObject      int64 // bytes of a response that is one object
	maxBody        int64 // bytes of any other response; 0 or less for no bound

	verb    string
	params  url.Values
	headers http.Header
	target

	// At most one of them is set. A request with a reader cannot be retried.
	body      io.Reader
	bodyBytes []byte

	err error // the first error in building the request
}

// NewRequest returns a request of a client. The methods of [Interface] are shorter.
func NewRequest(c *RESTClient) *Request {
	r := &Request{
		c:              c,
		content:        c.content,
		defaulted:      c.defaulted,
		warningHandler: c.warningHandler,
		rateLimiter:    c.rateLimiter,
		backoff:        noBackoff,
		maxRetries:     defaultRetries,
		maxObject:      maxObjectBytes,
		target:         target{prefix: c.root},
	}
	if c.newBackoff != nil {
		r.backoff = c.newBackoff()
	}
	if c.Client != nil {
		r.timeout = c.Client.Timeout
	}
	r.accept()
	return r
}

// NewRequestWithClient returns a request without a RESTClient, for tests.
func NewRequestWithClient(base *url.URL, versionedAPIPath string, content ClientContentConfig, client *http.Client) *Request {
	return NewRequest(newRESTClient(base, versionedAPIPath, content, client))
}

func (r *Request) accept() {
	if accept := acceptHeader(&r.content); accept != "" {
		r.SetHeader("Accept", accept)
	}
}

// UseProtobufAsDefaultIfPreferred is [Request.UseProtobufAsDefault] if prefersProtobuf is true.
func (r *Request) UseProtobufAsDefaultIfPreferred(prefersProtobuf bool) *Request {
	if prefersProtobuf {
		return r.UseProtobufAsDefault()
	}
	return r
}

// UseProtobufAsDefault sends and accepts protobuf, unless the user chose a format. Call it before
// [Request.Body].
func (r *Request) UseProtobufAsDefault() *Request {
	if r.defaulted && r.content.AcceptContentTypes == "" {
		r.content.AcceptContentTypes = protobufOrJSON
		r.content.ContentType = runtime.ContentTypeProtobuf
		r.accept()
	}
	return r
}

// Negotiator replaces the encoders and decoders of the client. Call it before [Request.Body].
func (r *Request) Negotiator(n runtime.ClientNegotiator) *Request {
	r.content.Negotiator = n
	return r
}

// Verb sets the HTTP method.
func (r *Request) Verb(verb string) *Request {
	r.verb = verb
	return r
}

// SetHeader sets a header to the given values, or removes it if there are none.
func (r *Request) SetHeader(key string, values ...string) *Request {
	if r.headers == nil {
		r.headers = http.Header{}
	}
	r.headers.Del(key)
	for _, value := range values {
		r.headers.Add(key, value)
	}
	return r
}

// Param adds a parameter to the query.
func (r *Request) Param(paramName, s string) *Request {
	if r.err == nil {
		r.addParams(paramName, s)
	}
	return r
}

// VersionedParams adds the fields of obj to the query, encoded for the client's group and version. Empty fields
// with omitempty are omitted. Existing parameters are kept.
func (r *Request) VersionedParams(obj runtime.Object, codec runtime.ParameterCodec) *Request {
	return r.SpecificallyVersionedParams(obj, codec, r.content.GroupVersion)
}

// SpecificallyVersionedParams is [Request.VersionedParams] for another group and version.
func (r *Request) SpecificallyVersionedParams(obj runtime.Object, codec runtime.ParameterCodec, version schema.GroupVersion) *Request {
	if r.err != nil {
		return r
	}
	params, err := codec.EncodeParameters(obj, version)
	if err != nil {
		r.err = err
		return r
	}
	for name, values := range params {
		r.addParams(name, values...)
	}
	return r
}

func (r *Request) addParams(name string, values ...string) {
	if r.params == nil {
		r.params = url.Values{}
	}
	r.params[name] = append(r.params[name], values...)
}

// Timeout bounds the whole request, including retries and its body, and sends the duration to the server in the
// parameter "timeout". [Request.Stream] and [Request.Watch] only send it. Without it, the HTTP client's Timeout
// applies, if it has one.
func (r *Request) Timeout(d time.Duration) *Request {
	if r.err == nil {
		r.timeout = d
	}
	return r
}

// MaxRetries sets how often the request is retried when the server responds with 429 or 5xx and a Retry-After
// header, or the connection is lost. The default is 10; 0 or less disables retries. Waits are at least 20 ms before the
// first retry, and twice as long before each further one, up to a second: a server that requests none each time has the
// request fail after about six seconds.
func (r *Request) MaxRetries(maxRetries int) *Request {
	r.maxRetries = max(maxRetries, 0)
	return r
}

// BackOff sets the manager of the waits before each attempt; nil disables them.
//
// Deprecated: use [Request.BackOffWithContext], whose waits end with the context.
func (r *Request) BackOff(manager BackoffManager) *Request {
	if manager == nil {
		return r.BackOffWithContext(nil)
	}
	return r.BackOffWithContext(backoffWithoutContext{manager})
}

// BackOffWithContext sets the manager of the waits before each attempt; nil disables them. The time in
// Retry-After is waited for in any case, up to a minute.
func (r *Request) BackOffWithContext(manager BackoffManagerWithContext) *Request {
	if manager == nil {
		manager = noBackoff
	}
	r.backoff = manager
	return r
}

// Throttle sets the rate limiter; nil disables it.
func (r *Request) Throttle(limiter flowcontrol.RateLimiter) *Request {
	r.rateLimiter = limiter
	return r
}

// WarningHandler sets the handler of the server's warnings, nil for the default (see
// [SetDefaultWarningHandler]).
func (r *Request) WarningHandler(handler WarningHandler) *Request {
	if handler == nil {
		return r.WarningHandlerWithContext(nil)
	}
	return r.WarningHandlerWithContext(withoutContext{handler})
}

// WarningHandlerWithContext sets the handler of the server's warnings, nil for the default (see
// [SetDefaultWarningHandlerWithContext]).
func (r *Request) WarningHandlerWithContext(handler WarningHandlerWithContext) *Request {
	r.warningHandler = handler
	return r
}

// LimitBody bounds the size of the response, in bytes: a longer one is a [BodyTooLargeError]. Zero means no
// bound. It does not apply to streams and watches, nor to responses that are one object, which have their own
// bound.
func (r *Request) LimitBody(bytes int64) *Request {
	r.maxBody = bytes
	return r
}

// Error returns the first error in building the request, or nil.
func (r *Request) Error() error { return r.err }

// fail sets the request's error and returns the request.
func (r *Request) fail(format string, args ...any) *Request {
	r.err = fmt.Errorf(format, args...)
	return r
}

// checkNamespace returns an error if the namespace was set to "" and the request needs one: a caller that
// forgot it would otherwise reach an object of another scope.
func (r *Request) checkNamespace() error {
	if !r.namespaceSet || r.namespace != "" {
		return nil
	}
	switch r.verb {
	case http.MethodPost:
		return errors.New("an empty namespace may not be set during creation")
	case http.MethodGet, http.MethodPut, http.MethodDelete:
		if r.name != "" {
			return errors.New("an empty namespace may not be set when a resource name is provided")
		}
	}
	return nil
}
