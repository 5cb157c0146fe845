package transport

import (
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// counted counts the values of metrics.
var counted counts

type counts struct {
	mu     sync.Mutex // guards values
	values map[string]int
}

func (c *counts) add(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil {
		c.values = map[string]int{}
	}
	c.values[fmt.Sprintf(format, args...)]++
}

// since returns the counts that have increased since before.
func (c *counts) since(before map[string]int) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	more := map[string]int{}
	for key, n := range c.values {
		if n > before[key] {
			more[key] = n - before[key]
		}
	}
	return more
}

func (c *counts) now() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.values)
}

type createCalls struct{}

func (createCalls) Increment(result string) { counted.add("create %s", result) }

type caReloads struct{}

func (caReloads) Increment(result, reason string) { counted.add("reload %s %s", result, reason) }

// countMetrics is called before any test.
func countMetrics() {
	metrics.Register(metrics.RegisterOpts{TransportCreateCalls: createCalls{}, TransportCAReloads: caReloads{}})
}

func TestMetrics(t *testing.T) {
	old, current := testcert.New(t), testcert.New(t)
	pair := current.Server(t)
	server := serveTLS(t, func() tls.Certificate { return pair }, nil)
	config := Config{TLS: TLSConfig{CAFile: file(t, old.PEM)}}
	expect := func(what string, do func(), want ...string) {
		t.Helper()
		before := counted.now()
		do()
		got := counted.since(before)
		for _, key := range want {
			if got[key] != 1 {
				t.Errorf("%s: counted %v, want %q once", what, got, key)
			}
			delete(got, key)
		}
		if len(got) > 0 {
			t.Errorf("%s: counted %v as well", what, got)
		}
	}
	rt, err := New(&config)
	if err != nil {
		t.Fatal(err)
	}
	defer utilnet.CloseIdleConnectionsFor(rt)
	expect("a config that is known", func() { _, err = New(&config) }, "create hit")
	expect("a config that is not", func() { _, err = New(&Config{TLS: TLSConfig{ServerName: t.Name()}}) }, "create miss")
	expect("a config with a proxy", func() { _, err = New(&Config{Proxy: http.ProxyFromEnvironment}) }, "create uncacheable")
	if err != nil {
		t.Fatal(err)
	}

	fetch := func() { _, err = get(rt, server.URL) }
	expect("nothing new", fetch, "reload success unchanged")
	write(t, config.TLS.CAFile, []byte("not PEM"))
	expect("broken", fetch, "reload failure ca_parse_error")
	write(t, config.TLS.CAFile, nil)
	expect("empty", fetch, "reload failure empty")
	write(t, config.TLS.CAFile, current.PEM)
	expect("new", fetch, "reload success updated")
	if err != nil {
		t.Error(err)
	}
}
