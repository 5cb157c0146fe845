// Package fake provides a REST client for tests that needs no server: its response is set in advance, or comes
// from an HTTP client of the test.
//
// Requests are built and responses decoded by package rest itself.
package fake

import (
	"net/http"
	"net/url"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
)

// CreateHTTPClient returns an HTTP client whose requests go to roundTripper.
func CreateHTTPClient(roundTripper func(*http.Request) (*http.Response, error)) *http.Client {
	return &http.Client{Transport: roundTripperFunc(roundTripper)}
}

type roundTripperFunc func(*http.Request) (*http.Response, error)

func (f roundTripperFunc) RoundTrip(req *http.Request) (*http.Response, error) {
	return f(req)
}

// RESTClient is a rest.Interface without a server. Tests set and read its fields while no request is in
// progress; it serves one request at a time.
type RESTClient struct {
	// NegotiatedSerializer encodes and decodes bodies, as JSON.
	NegotiatedSerializer runtime.NegotiatedSerializer
	GroupVersion         schema.GroupVersion
	// VersionedAPIPath is the prefix of a request's path.
	VersionedAPIPath string

	// Err, if not nil, is the result of all requests, which are not sent.
	Err error
	// Req is the last request that was sent.
	Req *http.Request
	// Client, if not nil, sends the requests.
	Client *http.Client
	// Resp is the response to requests if Err and Client are nil. One request can read its body, once.
	Resp *http.Response
}

var _ rest.Interface = &RESTClient{}

// Get begins a GET request.
func (c *RESTClient) Get() *rest.Request { return c.Verb(http.MethodGet) }

// Put begins a PUT request.
func (c *RESTClient) Put() *rest.Request { return c.Verb(http.MethodPut) }

// Post begins a POST request.
func (c *RESTClient) Post() *rest.Request { return c.Verb(http.MethodPost) }

// Delete begins a DELETE request.
func (c *RESTClient) Delete() *rest.Request { return c.Verb(http.MethodDelete) }

// Patch begins a PATCH request with a patch of that type.
func (c *RESTClient) Patch(pt types.PatchType) *rest.Request {
	return c.Verb(http.MethodPatch).SetHeader("Content-Type", string(pt))
}

// Verb begins a request with that HTTP method.
func (c *RESTClient) Verb(verb string) *rest.Request { return c.Request().Verb(verb) }

// Request begins a request without a method.
func (c *RESTClient) Request() *rest.Request {
	content := rest.ClientContentConfig{
		ContentType:  runtime.ContentTypeJSON,
		GroupVersion: c.GroupVersion,
		Negotiator:   runtime.NewClientNegotiator(c.NegotiatedSerializer, c.GroupVersion),
	}
	base := &url.URL{Scheme: "https", Host: "localhost"}
	return rest.NewRequestWithClient(base, c.VersionedAPIPath, content, CreateHTTPClient(c.do))
}

// APIVersion returns the group and version of the API.
func (c *RESTClient) APIVersion() schema.GroupVersion { return c.GroupVersion }

// GetRateLimiter returns nil: requests are not limited.
func (c *RESTClient) GetRateLimiter() flowcontrol.RateLimiter { return nil }

func (c *RESTClient) do(req *http.Request) (*http.Response, error) {
	if c.Err != nil {
		return nil, c.Err
	}
	c.Req = req
	if c.Client != nil {
		return c.Client.Do(req)
	}
	return c.Resp, nil
}
