package column

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ClientsetName is the name of the target with generated clientsets.
const ClientsetName = "clientset"

// agent is the user agent of the suite's plain requests: field managers are named after it.
const agent = "suite/1"

// Clientset is the target that sends requests by calling generated clientsets. It counts how they
// were sent. It serves one case.
type Clientset struct {
	tally
	*suite.HTTP
	sets   pair
	config func(user string, groups []string) (*rest.Config, error)

	mu      sync.Mutex // guards clients
	clients map[string]any
}

// NewClientset returns a target for a server.
func NewClientset(actions suite.Actions) (*Clientset, error) {
	p, err := sets()
	if err != nil {
		return nil, err
	}
	return &Clientset{
		HTTP: suite.NewHTTP(ClientsetName, actions), sets: p, config: actions.Config, clients: map[string]any{},
	}, nil
}

// Do implements suite.Target.
func (c *Clientset) Do(ctx context.Context, req suite.Request) (suite.Response, error) {
	if isSetup(req) {
		return c.HTTP.Do(ctx, req)
	}
	f, err := c.sets.find(req)
	if c.count(err) {
		return c.HTTP.Do(ctx, req)
	}
	if err != nil {
		return suite.Response{}, err
	}
	client, set, err := c.client(f, req)
	if err != nil {
		return suite.Response{}, err
	}
	seen := &exchange{alias: f.alias}
	result := f.Do(context.WithValue(ctx, exchangeKey{}, seen), client)
	res := suite.Response{Status: seen.status, Header: seen.header}
	switch {
	case result.Err != nil:
		var refused suite.Response
		refused, err = f.refusal(result.Err)
		res.Body = refused.Body
		return res, err
	case result.Object == nil:
		res.Body, err = f.deletion(seen, set.scheme)
		return res, err
	}
	res.Body, err = f.encode(set.scheme, result.Object)
	return res, err
}

// deletion returns the original response to a deletion, in JSON.
func (f found) deletion(seen *exchange, scheme *runtime.Scheme) ([]byte, error) {
	if seen.header.Get("Content-Type") != runtime.ContentTypeProtobuf {
		return []byte(f.alias.out(seen.body.String())), nil
	}
	object, _, err := protobuf.NewSerializer(scheme, scheme).Decode(seen.body.Bytes(), nil, nil)
	if err != nil {
		return nil, err
	}
	return f.encode(scheme, object)
}

// Watch implements suite.Target.
func (c *Clientset) Watch(ctx context.Context, req suite.Request) (suite.Response, suite.Stream, error) {
	f, err := c.sets.find(req)
	if c.count(err) {
		return c.HTTP.Watch(ctx, req)
	}
	if err != nil {
		return suite.Response{}, nil, err
	}
	client, set, err := c.client(f, req)
	if err != nil {
		return suite.Response{}, nil, err
	}
	seen := &exchange{alias: f.alias}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, exchangeKey{}, seen))
	result := f.Do(ctx, client)
	if result.Err != nil {
		defer cancel()
		var refused suite.Response
		refused, err = f.refusal(result.Err)
		return suite.Response{Status: seen.status, Header: seen.header, Body: refused.Body}, nil, err
	}
	return suite.Response{Status: seen.status, Header: seen.header}, newStream(f, set.scheme, result.Watch, cancel), nil
}

// client returns the clientset for a call, which is created once for each user and form.
func (c *Clientset) client(f found, req suite.Request) (any, set, error) {
	which, name := c.sets.kubernetes, "kubernetes"
	if f.custom {
		which, name = c.sets.custom, "custom"
	}
	key := strings.Join(append([]string{name, f.Sends, f.Accepts, req.User}, req.Groups...), "\n")
	c.mu.Lock()
	defer c.mu.Unlock()
	if client, ok := c.clients[key]; ok {
		return client, which, nil
	}
	config, err := c.config(req.User, req.Groups)
	if err != nil {
		return nil, which, err
	}
	config.UserAgent = agent
	config.ContentType, config.AcceptContentTypes = f.Sends, f.Accepts
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return observer{next} })
	client, err := which.client(config)
	if err == nil {
		c.clients[key] = client
	}
	return client, which, err
}

// exchange contains the parts of a response that a call does not return.
type exchange struct {
	alias  alias
	status int
	header http.Header
	body   bytes.Buffer // of deletions
}

type exchangeKey struct{}

// observer records responses in the exchange of the request's context, and exchanges the groups.
type observer struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (o observer) RoundTrip(r *http.Request) (*http.Response, error) {
	seen, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return o.next.RoundTrip(r)
	}
	r, err := seen.outgoing(r)
	if err != nil {
		return nil, err
	}
	res, err := o.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	seen.status, seen.header = res.StatusCode, maps.Clone(res.Header)
	// Clients would retry after that time, but each response is compared.
	res.Header.Del("Retry-After")
	if seen.alias != (alias{}) {
		res.Body, res.ContentLength = seen.alias.reader(res.Body), -1
	}
	if r.Method == http.MethodDelete {
		seen.body.Reset()
		res.Body = tee{io.TeeReader(res.Body, &seen.body), res.Body}
	}
	return res, nil
}

// outgoing returns a request with the names of the case.
func (x *exchange) outgoing(r *http.Request) (*http.Request, error) {
	if x.alias == (alias{}) {
		return r, nil
	}
	r = r.Clone(r.Context())
	r.URL.Path = x.alias.out(r.URL.Path)
	if r.Body == nil {
		return r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	text := x.alias.out(string(body))
	// If a connection breaks before anything was sent, it is replaced and the body is sent again.
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	r.ContentLength = int64(len(text))
	r.Body, err = r.GetBody()
	return r, err
}

type tee struct {
	io.Reader
	io.Closer
}
