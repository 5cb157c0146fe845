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

// Interface creates requests for one group and version of an API.
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

// ClientContentConfig configures the formats in which a RESTClient talks to the server.
type ClientContentConfig struct {
	// AcceptContentTypes is the Accept header of requests. If empty, it is ContentType, or anything if that is
	// empty too.
	AcceptContentTypes string
	// ContentType is the format of sent objects, and of responses without a content type. If empty, it is
	// "application/json".
	ContentType string
	// GroupVersion is the version of the API, used by [Request.VersionedParams].
	GroupVersion schema.GroupVersion
	// Negotiator returns the encoder and the decoder for a format.
	Negotiator runtime.ClientNegotiator
}

// RESTClient sends requests to one group and version of an API. It is safe for concurrent use.
//
//nolint:revive // the name is part of the compatible API
type RESTClient struct {
	base *url.URL // of the server; nil only in a client that was not created by this package
	root string   // path of the resources

	content   ClientContentConfig // ContentType is set
	defaulted bool                // ContentType was not set by the user

	newBackoff     func() BackoffManagerWithContext // called for each request; nil for none
	rateLimiter    flowcontrol.RateLimiter          // nil for none
	warningHandler WarningHandlerWithContext        // nil for the default one

	// Client sends the requests; nil means http.DefaultClient.
	Client *http.Client
}

// NewRESTClient returns a client of the API at versionedAPIPath of the server at baseURL, whose path, if any,
// is the prefix of all paths. Query and fragment of baseURL are dropped. A nil rateLimiter means no limit, a
// nil client http.DefaultClient.
func NewRESTClient(baseURL *url.URL, versionedAPIPath string, config ClientContentConfig, rateLimiter flowcontrol.RateLimiter, client *http.Client) (*RESTClient, error) {
	metrics.EnsureRegistered()
	if baseURL == nil {
		return nil, errors.New("baseURL is required when initializing a RESTClient")
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

// basePath returns the path of the server's URL.
func (c *RESTClient) basePath() string {
	if c.base == nil {
		return ""
	}
	return c.base.Path
}

// host returns the server's host, for metrics.
func (c *RESTClient) host() string {
	if c.base == nil {
		return ""
	}
	return c.base.Host
}

// httpClient returns the client that sends the requests.
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

// Verb creates a request with any HTTP method.
func (c *RESTClient) Verb(verb string) *Request { return NewRequest(c).Verb(verb) }

// Post creates a POST request.
func (c *RESTClient) Post() *Request { return c.Verb(http.MethodPost) }

// Put creates a PUT request.
func (c *RESTClient) Put() *Request { return c.Verb(http.MethodPut) }

// Patch creates a PATCH request; its body is a patch of type pt.
func (c *RESTClient) Patch(pt types.PatchType) *Request {
	return c.Verb(http.MethodPatch).SetHeader("Content-Type", string(pt))
}

// Get creates a GET request.
func (c *RESTClient) Get() *Request { return c.Verb(http.MethodGet) }

// Delete creates a DELETE request.
func (c *RESTClient) Delete() *Request { return c.Verb(http.MethodDelete) }

// APIVersion returns the group and version of the API.
func (c *RESTClient) APIVersion() schema.GroupVersion { return c.content.GroupVersion }
