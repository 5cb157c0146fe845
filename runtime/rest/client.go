package rest

import (
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// Interface begins requests to one group and version of an API.
type Interface interface {
	GetRateLimiter() flowcontrol.RateLimiter
	Verb(verb string) *Request
	Post() *Request
	Put() *Request
	Patch(pt types.PatchType) *Request
	Get() *Request
	Delete() *Request
	APIVersion() schema.GroupVersion
}

// ClientContentConfig says in which formats a RESTClient talks with the server.
type ClientContentConfig struct {
	// AcceptContentTypes is the Accept header of requests. If empty, it is ContentType, or else anything.
	AcceptContentTypes string
	// ContentType is the format of the objects sent, and of answers that do not say theirs. If
	// empty, it is "application/json".
	ContentType string
	// GroupVersion is the version of the API, used for [Request.VersionedParams].
	GroupVersion schema.GroupVersion
	// Negotiator gives the encoder and the decoder for a format.
	Negotiator runtime.ClientNegotiator
}

// RESTClient sends requests to one group and version of an API. It may be used by many goroutines at
// once.
//
//nolint:revive // the name is part of the compatible API
type RESTClient struct {
	base *url.URL // of the server; nil only in a client that was not made here
	root string   // the path below which the resources are

	content   ClientContentConfig // ContentType is set
	defaulted bool                // ContentType was not set by the user

	newBackoff     func() BackoffManagerWithContext // for each request; nil for none
	rateLimiter    flowcontrol.RateLimiter          // nil for none
	warningHandler WarningHandlerWithContext        // nil for the default one

	// Client sends the requests. If nil, http.DefaultClient does.
	Client *http.Client
}

// NewRESTClient returns a client of the API at versionedAPIPath of the server at baseURL, whose path, if
// any, goes before all paths. Its query and fragment are dropped. A nil rateLimiter is no limit, a nil client
// is http.DefaultClient.
func NewRESTClient(baseURL *url.URL, versionedAPIPath string, config ClientContentConfig, rateLimiter flowcontrol.RateLimiter, client *http.Client) (*RESTClient, error) {
	metrics.EnsureRegistered()
	if baseURL == nil {
		return nil, errors.New("a RESTClient needs the URL of a server")
	}

	base := *baseURL
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	base.Fragment = ""

	c := newRESTClient(&base, versionedAPIPath, withoutCBOR(config), client)
	c.newBackoff = backoffFromEnvironment()
	c.rateLimiter = rateLimiter
	return c, nil
}

func newRESTClient(base *url.URL, versionedAPIPath string, config ClientContentConfig, client *http.Client) *RESTClient {
	c := &RESTClient{base: base, content: config, defaulted: config.ContentType == "", Client: client}
	if c.defaulted {
		c.content.ContentType = runtime.ContentTypeJSON
	}
	c.root = path.Join("/", c.basePath(), versionedAPIPath)
	return c
}

// basePath is the path of the server's URL.
func (c *RESTClient) basePath() string {
	if c.base == nil {
		return ""
	}
	return c.base.Path
}

// host is the server's, as metrics know it.
func (c *RESTClient) host() string {
	if c.base == nil {
		return ""
	}
	return c.base.Host
}

// httpClient is what sends the requests.
func (c *RESTClient) httpClient() *http.Client {
	if c.Client == nil {
		return http.DefaultClient
	}
	return c.Client
}

// GetRateLimiter returns the limiter that the client's requests share, or nil. It may be called on a nil
// client.
func (c *RESTClient) GetRateLimiter() flowcontrol.RateLimiter {
	if c == nil {
		return nil
	}
	return c.rateLimiter
}

// Verb begins a request with any HTTP method.
func (c *RESTClient) Verb(verb string) *Request { return NewRequest(c).Verb(verb) }

// Post begins a POST request.
func (c *RESTClient) Post() *Request { return c.Verb(http.MethodPost) }

// Put begins a PUT request.
func (c *RESTClient) Put() *Request { return c.Verb(http.MethodPut) }

// Patch begins a PATCH request; its body is a patch of type pt.
func (c *RESTClient) Patch(pt types.PatchType) *Request {
	return c.Verb(http.MethodPatch).SetHeader("Content-Type", string(pt))
}

// Get begins a GET request.
func (c *RESTClient) Get() *Request { return c.Verb(http.MethodGet) }

// Delete begins a DELETE request.
func (c *RESTClient) Delete() *Request { return c.Verb(http.MethodDelete) }

// APIVersion returns the group and version of the API.
func (c *RESTClient) APIVersion() schema.GroupVersion { return c.content.GroupVersion }
