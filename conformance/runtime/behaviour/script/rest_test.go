package script_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// restConfig is of a client for the core API at a server.
func restConfig(host string) *rest.Config {
	return &rest.Config{
		Host:    host,
		APIPath: "/api",
		QPS:     1000,
		Burst:   1000,
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &corev1.SchemeGroupVersion,
			NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		},
		UserAgent: "behaviour",
	}
}

// serve starts a server, whose address is hidden on the tape.
func serve(t *testing.T, p *tape, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	p.hide(strings.TrimPrefix(server.URL, "http://"), "SERVER")
	return server
}

const pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n","resourceVersion":"5"}}`

func status(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`, message, reason, code)
}

type response struct {
	code    int
	headers string // Name: value; Name: value
	body    string
}

func (r response) write(w http.ResponseWriter) {
	for header := range strings.SplitSeq(r.headers, "; ") {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Add(name, value)
		}
	}
	w.WriteHeader(r.code)
	_, _ = io.WriteString(w, r.body)
}

const (
	asJSON = "Content-Type: application/json"
	asText = "Content-Type: text/plain"
	asHTML = "Content-Type: text/html"
)

func gzipped(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

var responses = map[string]response{
	"404-status":            {404, asJSON, status(404, "NotFound", `pods "a" not found`)},
	"404-text":              {404, asText, "404 page not found"},
	"404-empty":             {404, "", ""},
	"404-html":              {404, asHTML, "<html><body>no such thing</body></html>"},
	"404-json":              {404, asJSON, `{"message":"nothing here"}`},
	"404-other-kind":        {404, asJSON, pod},
	"404-broken":            {404, asJSON, `{"kind":"Status"`},
	"400-text":              {400, asText, "what do you mean?"},
	"400-json":              {400, asJSON, `{"a":"b"}`},
	"401-status":            {401, asJSON, status(401, "Unauthorized", "Unauthorized")},
	"401-text":              {401, asText, "no"},
	"403-status":            {403, asJSON, status(403, "Forbidden", `pods "a" is forbidden: User "u" cannot get resource`)},
	"403-text":              {403, asText, "Forbidden"},
	"405-text":              {405, asText, "never"},
	"406-text":              {406, asText, "only 1.0"},
	"409-text":              {409, asText, "changed"},
	"409-status":            {409, asJSON, status(409, "Conflict", "the object has been modified")},
	"409-exists":            {409, asJSON, status(409, "AlreadyExists", `pods "a" already exists`)},
	"410-status":            {410, asJSON, status(410, "Expired", "too old resource version: 1 (5)")},
	"410-gone":              {410, asJSON, status(410, "Gone", "gone")},
	"410-text":              {410, asText, "gone"},
	"413-text":              {413, asText, "large"},
	"415-text":              {415, asText, "which type?"},
	"418-text":              {418, asText, "teapot"},
	"422-text":              {422, asText, "unprocessable"},
	"422-status":            {422, asJSON, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"Pod \"a\" is invalid","reason":"Invalid","details":{"name":"a","kind":"Pod","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec"}]},"code":422}`},
	"429-text":              {429, asText, "too many"},
	"429-status":            {429, asJSON, status(429, "TooManyRequests", "slow down")},
	"429-after-0":           {429, asText + "; Retry-After: 0", "too many"},
	"429-after-nonsense":    {429, asText + "; Retry-After: soon", "too many"},
	"500-text":              {500, asText, "oops"},
	"500-status":            {500, asJSON, status(500, "InternalError", "Internal error occurred: oops")},
	"500-after-0":           {500, asText + "; Retry-After: 0", "oops"},
	"500-empty":             {500, "", ""},
	"502-html":              {502, asHTML, "<html>Bad Gateway</html>"},
	"503-text":              {503, asText, "service unavailable"},
	"503-empty":             {503, "", ""},
	"503-status":            {503, asJSON, status(503, "ServiceUnavailable", "the server is currently unable to handle the request")},
	"503-after-0":           {503, asText + "; Retry-After: 0", "later"},
	"504-text":              {504, asText, "timeout"},
	"504-status":            {504, asJSON, status(504, "Timeout", "request did not complete within requested timeout")},
	"599-binary":            {599, "Content-Type: application/octet-stream", "\x00\x01\x02\xff"},
	"500-long":              {500, asText, strings.Repeat("long ", 1000)},
	"304-empty":             {304, "", ""},
	"200-pod":               {200, asJSON, pod},
	"201-pod":               {201, asJSON, pod},
	"200-no-type":           {200, "Content-Type: ", pod},
	"200-text":              {200, asText, "ok"},
	"200-html":              {200, asHTML, "<html>login</html>"},
	"200-pod-as-text":       {200, asText, pod},
	"200-empty":             {200, asJSON, ""},
	"200-broken":            {200, asJSON, `{"kind":"Pod","apiVersion":"v1","metadata":{"na`},
	"200-wrong-field":       {200, asJSON, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":5}}`},
	"200-wrong-kind":        {200, asJSON, `{"kind":"Node","apiVersion":"v1","metadata":{"name":"x"}}`},
	"200-unknown-kind":      {200, asJSON, `{"kind":"Thing","apiVersion":"v1","metadata":{"name":"x"}}`},
	"200-no-kind":           {200, asJSON, `{"metadata":{"name":"x"}}`},
	"200-list":              {200, asJSON, `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}]}`},
	"200-status-failure":    {200, asJSON, status(404, "NotFound", "no pod")},
	"200-status-success":    {200, asJSON, `{"kind":"Status","apiVersion":"v1","status":"Success","code":200}`},
	"202-status-success":    {202, asJSON, `{"kind":"Status","apiVersion":"v1","status":"Success","code":202}`},
	"204-empty":             {204, "", ""},
	"200-array":             {200, asJSON, `[]`},
	"200-null":              {200, asJSON, `null`},
	"200-number":            {200, asJSON, `5`},
	"200-protobuf":          {200, "Content-Type: application/vnd.kubernetes.protobuf", "k8s\x00\xff\xff"},
	"200-protobuf-no-magic": {200, "Content-Type: application/vnd.kubernetes.protobuf", "hello"},
	"200-bad-media-type":    {200, "Content-Type: ;;;", pod},
	"200-yaml":              {200, "Content-Type: application/yaml", "kind: Pod\napiVersion: v1\nmetadata:\n  name: a\n"},
	"200-cbor":              {200, "Content-Type: application/cbor", "\xd9\xd9\xf7\xa0"},
	"200-bad-gzip":          {200, asJSON + "; Content-Encoding: gzip", pod},
	"200-gzip":              {200, asJSON + "; Content-Encoding: gzip", gzipped(pod)},
	"200-unknown-encoding":  {200, asJSON + "; Content-Encoding: br", pod},
	"302-nowhere":           {302, "Location: ", ""},
	"302-loop":              {302, "Location: /api/v1/namespaces/n/pods/a", ""},
	"200-short":             {200, asJSON + "; Content-Length: 1000", pod},
	"500-short":             {500, asJSON + "; Content-Length: 1000", `{"kind":"Sta`},
	"200-warning":           {200, asJSON + `; Warning: 299 - "old thing"; Warning: 299 k "second \"one\" thing"`, pod},
	"200-warning-malformed": {200, asJSON + `; Warning: 299 - old thing; Warning: 199 - "misc"; Warning: nonsense`, pod},
	"200-warning-unprinted": {200, asJSON + `; Warning: 299 - "a\tb` + "\x01" + `c"`, pod},
	"404-warning":           {404, asJSON + `; Warning: 299 - "old thing"`, status(404, "NotFound", "no pod")},
	"200-trailing":          {200, asJSON, pod + "\n\n garbage"},
	"200-duplicate-field":   {200, asJSON, `{"kind":"Pod","kind":"Pod","apiVersion":"v1","metadata":{"name":"a","name":"b"}}`},
	"200-invalid-utf8":      {200, asJSON, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\xff\"}}"},
	"200-unknown-field":     {200, asJSON, `{"kind":"Pod","apiVersion":"v1","metadatas":{"name":"a"}}`},
	"200-watch-added":       {200, asJSON, `{"type":"ADDED","object":` + pod + "}\n"},
	"200-watch-error":       {200, asJSON, `{"type":"ERROR","object":` + status(410, "Expired", "too old") + "}\n"},
	"200-watch-unknown":     {200, asJSON, `{"type":"RENAMED","object":` + pod + "}\n"},
	"200-watch-broken":      {200, asJSON, `{"type":"ADDED","object":` + pod + "}\n" + `{"type":"MODIFIED","obj`},
	"200-watch-other":       {200, asJSON, `{"type":"ADDED","object":{"kind":"Thing","apiVersion":"v1"}}` + "\n"},
	"200-watch-no-type":     {200, asJSON, `{"object":` + pod + "}\n"},
	"200-watch-no-object":   {200, asJSON, `{"type":"ADDED"}` + "\n"},
	"200-watch-bad-object":  {200, asJSON, `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":5}}` + "\n"},
	"200-watch-short":       {200, asJSON + "; Content-Length: 1000", `{"type":"ADDED","object":` + pod + "}\n"},
}

// recorder is a WarningHandler.
type recorder struct{ p *tape }

func (r recorder) HandleWarningHeader(code int, agent, text string) {
	r.p.printf("warning %d %q %q", code, agent, text)
}

// Every response, to each of the calls that a client makes.
func TestRestResponses(t *testing.T) {
	for name, r := range responses {
		run(t, name, func(t *testing.T, p *tape) {
			var mu sync.Mutex
			requests := 0
			server := serve(t, p, func(w http.ResponseWriter, _ *http.Request) {
				mu.Lock()
				requests++
				mu.Unlock()
				r.write(w)
			})
			count := func() {
				mu.Lock()
				defer mu.Unlock()
				p.printf("  requests: %d", requests)
				requests = 0
			}
			config := restConfig(server.URL)
			config.WarningHandler = recorder{p}
			client, err := rest.RESTClientFor(config)
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			get := func() *rest.Request {
				return client.Get().Namespace("n").Resource("pods").Name("a").MaxRetries(2)
			}
			result := get().Do(ctx)
			var code int
			result.StatusCode(&code)
			p.printf("code %d", code)
			for i, warning := range result.Warnings() {
				p.printf("Warnings %d %v", i, warning)
			}
			p.err("Error", result.Error())
			raw, err := result.Raw()
			p.printf("Raw %q", raw)
			p.err("Raw", err)
			into := &corev1.Pod{}
			p.err("Into", result.Into(into))
			p.json("Into", into)
			obj, err := result.Get()
			p.printf("Get %T", obj)
			p.json("Get", obj)
			p.err("Get", err)
			created := false
			p.err("WasCreated", result.WasCreated(&created).Error())
			p.printf("created %v", created)
			count()

			raw, err = get().DoRaw(ctx)
			p.printf("DoRaw %q", raw)
			p.err("DoRaw", err)
			count()

			stream, err := get().Stream(ctx)
			p.err("Stream", err)
			if err == nil {
				read, readErr := io.ReadAll(stream)
				p.printf("Stream %q", read)
				p.err("read", readErr)
				_ = stream.Close()
			}
			count()

			watcher, err := get().Watch(ctx)
			p.err("Watch", err)
			if err == nil {
				timeout := time.After(5 * time.Second)
			events:
				for {
					select {
					case event, ok := <-watcher.ResultChan():
						if !ok {
							break events
						}
						p.printf("event %s %T", event.Type, event.Object)
						p.json("event", event.Object)
					case <-timeout:
						p.printf("watch: silent")
						break events
					}
				}
				watcher.Stop()
			}
			count()

			for _, call := range []struct {
				name    string
				request *rest.Request
			}{
				{"POST", client.Post().Namespace("n").Resource("pods").Body(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}})},
				{"PUT", client.Put().Namespace("n").Resource("pods").Name("a").SubResource("status").Body(&corev1.Pod{})},
				{"PATCH", client.Patch(types.MergePatchType).Namespace("n").Resource("pods").Name("a").Body([]byte(`{}`))},
				{"DELETE", client.Delete().Namespace("n").Resource("pods").Name("a").Body(&metav1.DeleteOptions{})},
				{"LIST", client.Get().Resource("pods")},
				{"ABS", client.Get().AbsPath("/apis/x")},
			} {
				p.err(call.name, call.request.MaxRetries(2).Do(ctx).Error())
			}
		})
	}
}

// What is wrong with a connection.
func TestRestConnections(t *testing.T) {
	calls := func(t *testing.T, p *tape, config *rest.Config, ctx context.Context) {
		t.Helper()
		client, err := rest.RESTClientFor(config)
		p.err("RESTClientFor", err)
		if err != nil {
			return
		}
		get := func() *rest.Request {
			return client.Get().Namespace("n").Resource("pods").Name("a").MaxRetries(1)
		}
		p.err("Do", get().Do(ctx).Error())
		_, err = get().DoRaw(ctx)
		p.err("DoRaw", err)
		_, err = get().Stream(ctx)
		p.err("Stream", err)
		watcher, err := get().Watch(ctx)
		p.err("Watch", err)
		if err == nil {
			for event := range watcher.ResultChan() {
				p.printf("event %s", event.Type)
				p.json("event", event.Object)
			}
		}
		p.err("POST", client.Post().Namespace("n").Resource("pods").Body(&corev1.Pod{}).Do(ctx).Error())
	}
	ctx := context.Background()
	run(t, "refused", func(t *testing.T, p *tape) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		p.hide(l.Addr().String(), "SERVER")
		_ = l.Close()
		calls(t, p, restConfig("http://"+l.Addr().String()), ctx)
	})
	run(t, "unknown host", func(t *testing.T, p *tape) {
		config := restConfig("http://nowhere.invalid")
		config.Dial = func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}
		}
		calls(t, p, config, ctx)
	})
	run(t, "closed at once", func(t *testing.T, p *tape) {
		server := serve(t, p, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		})
		calls(t, p, restConfig(server.URL), ctx)
	})
	run(t, "no HTTP", func(t *testing.T, p *tape) {
		server := serve(t, p, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = io.WriteString(conn, "hello\r\n\r\n")
				_ = conn.Close()
			}
		})
		calls(t, p, restConfig(server.URL), ctx)
	})
	run(t, "HTTPS of an HTTP server", func(t *testing.T, p *tape) {
		server := serve(t, p, func(http.ResponseWriter, *http.Request) {})
		calls(t, p, restConfig("https://"+strings.TrimPrefix(server.URL, "http://")), ctx)
	})
	run(t, "unknown certificate", func(t *testing.T, p *tape) {
		server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(server.Close)
		p.hide(strings.TrimPrefix(server.URL, "https://"), "SERVER")
		calls(t, p, restConfig(server.URL), ctx)
	})
	silent := func(name string, f func(t *testing.T, p *tape, config *rest.Config)) {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(t *testing.T) { withSilence(t, func(config *rest.Config) { f(t, p, config) }) })
		})
	}
	silent("timeout of the config", func(t *testing.T, p *tape, config *rest.Config) {
		// Which of the two texts net/http has is luck.
		p.hide("net/http: request canceled (Client.Timeout exceeded while awaiting headers)", "context deadline exceeded")
		p.hide("context deadline exceeded (Client.Timeout exceeded while awaiting headers)", "context deadline exceeded")
		config.Timeout = 50 * time.Millisecond
		calls(t, p, config, ctx)
	})
	silent("timeout of the request", func(t *testing.T, p *tape, config *rest.Config) {
		client, err := rest.RESTClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		get := func() *rest.Request {
			return client.Get().Namespace("n").Resource("pods").Name("a").Timeout(50 * time.Millisecond)
		}
		p.err("Do", get().Do(ctx).Error())
		_, err = get().DoRaw(ctx)
		p.err("DoRaw", err)
	})
	// each calls a server with four contexts.
	each := func(t *testing.T, p *tape, config *rest.Config, newContext func() (context.Context, context.CancelFunc)) {
		for _, call := range []string{"Do", "DoRaw", "Stream", "Watch"} {
			client, err := rest.RESTClientFor(config)
			if err != nil {
				t.Fatal(err)
			}
			limited, cancel := newContext()
			get := client.Get().Namespace("n").Resource("pods").Name("a")
			switch call {
			case "Do":
				err = get.Do(limited).Error()
			case "DoRaw":
				_, err = get.DoRaw(limited)
			case "Stream":
				_, err = get.Stream(limited)
			case "Watch":
				_, err = get.Watch(limited)
			}
			cancel()
			p.err(call, err)
		}
	}
	silent("deadline", func(t *testing.T, p *tape, config *rest.Config) {
		each(t, p, config, func() (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, 50*time.Millisecond) })
	})
	silent("canceled before", func(t *testing.T, p *tape, config *rest.Config) {
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		calls(t, p, config, canceled)
	})
	silent("canceled before, with a cause", func(t *testing.T, p *tape, config *rest.Config) {
		canceled, cancel := context.WithCancelCause(ctx)
		cancel(fmt.Errorf("enough"))
		calls(t, p, config, canceled)
	})
	silent("canceled meanwhile", func(t *testing.T, p *tape, config *rest.Config) {
		each(t, p, config, func() (context.Context, context.CancelFunc) {
			canceled, cancel := context.WithCancel(ctx)
			time.AfterFunc(50*time.Millisecond, cancel)
			return canceled, cancel
		})
	})
	run(t, "canceled while throttled", func(t *testing.T, p *tape) {
		server := serve(t, p, response{200, asJSON, pod}.handler())
		config := restConfig(server.URL)
		config.QPS, config.Burst = 0.01, 1
		client, err := rest.RESTClientFor(config)
		if err != nil {
			t.Fatal(err)
		}
		get := func() *rest.Request { return client.Get().Namespace("n").Resource("pods").Name("a") }
		p.err("first", get().Do(ctx).Error())
		short, cancel := context.WithTimeout(ctx, 20*time.Second) // the limit is a request in 100 s
		defer cancel()
		p.err("deadline", get().Do(short).Error())
		_, err = get().Watch(short)
		p.err("deadline, Watch", err)
		canceled, cancel := context.WithCancel(ctx)
		time.AfterFunc(50*time.Millisecond, cancel)
		p.err("canceled", get().Do(canceled).Error())
		_, err = get().Stream(canceled)
		p.err("canceled, Stream", err)
	})
}

// withSilence calls a function with the configuration of a server in this bubble, which never answers.
func withSilence(t *testing.T, f func(*rest.Config)) {
	t.Helper()
	connections := pipes{made: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })} //nolint:gosec // silence is its purpose
	go func() { _ = server.Serve(connections) }()
	config := restConfig("http://server")
	config.Dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		select {
		case connections.made <- server:
			return client, nil
		case <-connections.closed:
			return nil, net.ErrClosed
		}
	}
	f(config)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

// pipes is a listener for connections within a bubble.
type pipes struct {
	made   chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.made:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

func (r response) handler() http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { r.write(w) }
}

// echoHeaders records the requests' headers.
func echoHeaders(p *tape) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, name := range slices.Sorted(maps.Keys(r.Header)) {
			p.printf("%s %s: %q", r.URL.Path, name, r.Header[name])
		}
		response{200, asJSON, pod}.write(w)
	}
}

// execute makes requests with an exec plugin.
func execute(t *testing.T, p *tape, plugin *clientcmdapi.ExecConfig) {
	t.Helper()
	server := serve(t, p, echoHeaders(p))
	config := restConfig(server.URL)
	config.ExecProvider = plugin
	client, err := rest.RESTClientFor(config)
	p.err("RESTClientFor", err)
	if err != nil {
		return
	}
	for range 2 {
		p.err("Get", client.Get().Resource("pods").Name("a").Do(context.Background()).Error())
	}
}
