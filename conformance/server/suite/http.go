package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/rest"
)

// HTTP is the target for a server.
type HTTP struct {
	name    string
	actions Actions

	mu      sync.Mutex // guards clients
	clients map[string]client
}

// Actions control a server and its users. Functions that are nil are not supported.
type Actions struct {
	// Config returns a config for a user: "" is the admin, and Nobody a client without credentials.
	Config  func(user string, groups []string) (*rest.Config, error)
	Compact func(context.Context) error
	Restart func(context.Context) error
}

type client struct {
	http *http.Client
	base *url.URL
}

// NewHTTP returns a target that sends requests to a server.
func NewHTTP(name string, actions Actions) *HTTP {
	return &HTTP{name: name, actions: actions, clients: map[string]client{}}
}

// Name implements [Target].
func (h *HTTP) Name() string { return h.name }

// Config returns a config for the admin. The caller owns it.
func (h *HTTP) Config() (*rest.Config, error) { return h.actions.Config("", nil) }

// Close closes idle connections.
func (h *HTTP) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.clients {
		utilnet.CloseIdleConnectionsFor(c.http.Transport)
	}
	clear(h.clients)
}

// Compact implements [Target].
func (h *HTTP) Compact(ctx context.Context) error { return h.act(ctx, "compact", h.actions.Compact) }

// Restart implements [Target].
func (h *HTTP) Restart(ctx context.Context) error { return h.act(ctx, "restart", h.actions.Restart) }

// act also drops the connections, because the client may not know yet that the server has closed
// them.
func (h *HTTP) act(ctx context.Context, name string, do func(context.Context) error) error {
	if do == nil {
		return fmt.Errorf("server %s: %w", name, ErrUnsupported)
	}
	defer h.Close()
	return do(ctx)
}

// client returns a user's client, which is created once.
func (h *HTTP) client(user string, groups []string) (client, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := strings.Join(append([]string{user}, groups...), "\n")
	if c, ok := h.clients[key]; ok {
		return c, nil
	}
	config, err := h.actions.Config(user, groups)
	if err != nil {
		return client{}, err
	}
	config.UserAgent = "suite/1"
	// Its own connections: others may lead to a server that has been restarted.
	config.Dial = (&net.Dialer{}).DialContext
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return client{}, err
	}
	hc, err := rest.HTTPClientFor(config)
	if err != nil {
		return client{}, err
	}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := client{hc, base}
	h.clients[key] = c
	return c, nil
}

func (h *HTTP) send(ctx context.Context, req Request) (*http.Response, error) {
	c, err := h.client(req.User, req.Groups)
	if err != nil {
		return nil, err
	}
	header := req.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	var body io.Reader = http.NoBody
	if req.Body != nil {
		if header.Get("Content-Type") == "" && req.Method != http.MethodPatch {
			header.Set("Content-Type", "application/json")
		}
		content := req.Body
		if !req.Raw && isProtobuf(header.Get("Content-Type")) {
			if content, err = encodeProtobuf(content); err != nil {
				return nil, err
			}
		}
		body = bytes.NewReader(content)
	}
	target := strings.TrimSuffix(c.base.String(), "/") + req.Path
	if req.Query != "" {
		target += "?" + req.Query
	}
	hr, err := http.NewRequestWithContext(ctx, req.Method, target, body)
	if err != nil {
		return nil, err
	}
	hr.Header = header
	return c.http.Do(hr)
}

// Do implements [Target].
func (h *HTTP) Do(ctx context.Context, req Request) (Response, error) {
	res, err := h.send(ctx, req)
	if err != nil {
		return Response{}, err
	}
	return read(res)
}

// read reads the rest of a response.
func read(res *http.Response) (Response, error) {
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return Response{}, err
	}
	if isProtobuf(res.Header.Get("Content-Type")) {
		if body, err = decodeProtobuf(body); err != nil {
			return Response{}, fmt.Errorf("decode protobuf: %w", err)
		}
	}
	return Response{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

// Watch implements [Target].
func (h *HTTP) Watch(ctx context.Context, req Request) (Response, Stream, error) {
	ctx, cancel := context.WithCancel(ctx)
	res, err := h.send(ctx, req)
	if err != nil {
		cancel()
		return Response{}, nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer cancel()
		answer, err := read(res)
		return answer, nil, err
	}
	next := jsonEvents(res.Body)
	if isProtobuf(res.Header.Get("Content-Type")) {
		next = protobufEvents(res.Body)
	}
	s := &stream{events: make(chan Event), done: make(chan struct{}), cancel: cancel}
	go s.run(ctx, res.Body, next)
	return Response{Status: res.StatusCode, Header: res.Header}, s, nil
}

// stream reads events from a response.
type stream struct {
	cancel context.CancelFunc
	events chan Event // closed at the end
	err    error      // set before events is closed
	done   chan struct{}
}

func (s *stream) run(ctx context.Context, body io.Closer, next func() (Event, error)) {
	defer close(s.done)
	defer close(s.events)
	defer body.Close() //nolint:errcheck // only what was read matters
	for {
		event, err := next()
		if err != nil {
			s.err = err
			return
		}
		select {
		case s.events <- event:
		case <-ctx.Done():
			s.err = ctx.Err()
			return
		}
	}
}

// Next implements [Stream].
func (s *stream) Next(ctx context.Context) (Event, error) {
	select {
	case event, ok := <-s.events:
		if !ok {
			return Event{}, s.err
		}
		return event, nil
	case <-ctx.Done():
		return Event{}, ctx.Err()
	}
}

// Stop implements [Stream].
func (s *stream) Stop() {
	s.cancel()
	<-s.done
}

func jsonEvents(body io.Reader) func() (Event, error) {
	decoder := json.NewDecoder(body)
	return func() (Event, error) {
		var event struct {
			Type   string          `json:"type"`
			Object json.RawMessage `json:"object"`
		}
		err := decoder.Decode(&event)
		return Event{event.Type, event.Object}, err
	}
}

func isProtobuf(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && media == "application/vnd.kubernetes.protobuf"
}
