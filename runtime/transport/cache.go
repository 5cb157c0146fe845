package transport

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
	"weak"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/internal/connrotation"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// idleConnsPerHost is the maximum number of idle HTTP/1 connections per host.
const idleConnsPerHost = 25

// shared contains the transports in use.
var shared = &cache{transports: map[cacheKey]weak.Pointer[sharedTransport]{}}

// cache lets equal configs share a transport. It does not keep transports alive: an entry is removed when its
// transport is collected.
type cache struct {
	mu         sync.Mutex // guards transports, and is held while a transport is created
	transports map[cacheKey]weak.Pointer[sharedTransport]
}

// sharedTransport is referenced by clients, and only weakly by the cache.
type sharedTransport struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = &sharedTransport{}

func (t *sharedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	runtime.KeepAlive(t) // a request in progress is a use
	return resp, err
}

func (t *sharedTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// cacheKey is equal for configs that can share a transport. It contains digests, so that the cache stores no
// private keys.
type cacheKey struct {
	insecure           bool
	serverName         string
	nextProtos         string
	disableCompression bool
	reloadCA           bool
	reloadCert         bool
	ca                 [sha256.Size]byte // of the file's name if it is reloaded, otherwise of the data
	cert               [sha256.Size]byte // likewise
	getCert            *GetCertHolder
	dial               *DialHolder
}

// keyFor returns the key of config, or false if it cannot share a transport. It loads the files of config.
func keyFor(config *Config) (cacheKey, bool, error) {
	c := &config.TLS
	if err := loadTLSFiles(c); err != nil {
		return cacheKey{}, false, err
	}
	if config.Proxy != nil {
		return cacheKey{}, false, nil // functions cannot be compared
	}
	key := cacheKey{
		insecure:           c.Insecure,
		serverName:         c.ServerName,
		nextProtos:         strings.Join(c.NextProtos, ","),
		disableCompression: config.DisableCompression,
		reloadCA:           c.ReloadCAFiles,
		reloadCert:         c.ReloadTLSFiles,
		ca:                 digest(c.CAData),
		cert:               digest(c.CertData, c.KeyData),
		getCert:            c.GetCertHolder,
		dial:               config.DialHolder,
	}
	if c.ReloadCAFiles {
		key.ca = digest([]byte(c.CAFile))
	}
	if c.ReloadTLSFiles {
		key.cert = digest([]byte(c.CertFile), []byte(c.KeyFile))
	}
	return key, true, nil
}

// digest returns one digest of all parts.
func digest(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// get returns the transport of an equal config, or creates one. If config has no settings, it is
// http.DefaultTransport.
func (c *cache) get(config *Config) (http.RoundTripper, error) {
	key, share, err := keyFor(config)
	if err != nil {
		return nil, err
	}
	if !share {
		metrics.TransportCreateCalls.Increment("uncacheable")
		next, makeErr := newTransport(config)
		if makeErr != nil {
			return nil, makeErr
		}
		return track(next), nil
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { metrics.TransportCacheEntries.Observe(len(c.transports)) }()
	if pointer, ok := c.transports[key]; !ok {
		metrics.TransportCreateCalls.Increment("miss")
	} else if t := pointer.Value(); t == nil {
		metrics.TransportCreateCalls.Increment("miss-gc")
	} else {
		metrics.TransportCreateCalls.Increment("hit")
		return t, nil
	}
	next, err := newTransport(config)
	if err != nil {
		return nil, err
	}
	if next == http.DefaultTransport {
		return next, nil
	}
	t := track(next)
	pointer := weak.Make(t)
	c.transports[key] = pointer
	runtime.AddCleanup(t, func(key cacheKey) { c.remove(key, pointer) }, key)
	return t, nil
}

// remove removes the entry of key if it is pointer's.
func (c *cache) remove(key cacheKey, pointer weak.Pointer[sharedTransport]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.transports[key] != pointer {
		metrics.TransportCacheGCCalls.Increment("skipped")
		return
	}
	delete(c.transports, key)
	metrics.TransportCacheGCCalls.Increment("deleted")
	metrics.TransportCacheEntries.Observe(len(c.transports))
}

// track returns a round tripper around next; when it is collected, next's idle connections
// are closed.
func track(next http.RoundTripper) *sharedTransport {
	t := &sharedTransport{next: next}
	runtime.AddCleanup(t, utilnet.CloseIdleConnectionsFor, next)
	return t
}

// newTransport creates a transport for config.
func newTransport(config *Config) (http.RoundTripper, error) {
	tlsConfig, files, err := tlsConfigFor(config)
	if err != nil {
		return nil, err
	}
	if tlsConfig == nil && config.DialHolder == nil && config.Proxy == nil && !config.DisableCompression {
		return http.DefaultTransport, nil
	}
	dial := connrotation.DialFunc((&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext)
	if config.DialHolder != nil {
		dial = config.DialHolder.Dial
	}
	if files != nil {
		dial = files.dial(dial)
		files.watch(CertCallbackRefreshDuration)
	}
	proxy := config.Proxy
	if proxy == nil {
		proxy = http.ProxyFromEnvironment
	}
	disableCompression := config.DisableCompression
	withRoots := func(roots *x509.CertPool) *http.Transport {
		c := tlsConfig.Clone()
		if c != nil {
			c.RootCAs = roots
		}
		return utilnet.SetTransportDefaults(&http.Transport{
			Proxy:               proxy,
			TLSHandshakeTimeout: handshakeTimeout,
			TLSClientConfig:     c,
			MaxIdleConnsPerHost: idleConnsPerHost,
			DialContext:         dial,
			DisableCompression:  disableCompression,
		})
	}
	if config.TLS.ReloadCAFiles && config.TLS.CAFile != "" {
		return newCAFile(config.TLS.CAFile, config.TLS.CAData, tlsConfig.RootCAs, withRoots), nil
	}
	var roots *x509.CertPool
	if tlsConfig != nil {
		roots = tlsConfig.RootCAs
	}
	return withRoots(roots), nil
}
