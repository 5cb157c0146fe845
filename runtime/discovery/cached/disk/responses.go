package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/klog/v2"
)

// responseCache sends requests and caches responses, as far as RFC 9111 allows a private cache to do so.
type responseCache struct {
	next      http.RoundTripper
	directory directory
}

// WrappedRoundTripper returns the round tripper that sends the requests.
func (c *responseCache) WrappedRoundTripper() http.RoundTripper { return c.next }

// RoundTrip returns a stored response without a request if it is fresh, or after the server has confirmed it.
func (c *responseCache) RoundTrip(req *http.Request) (*http.Response, error) {
	if !mayUseCache(req) {
		return c.next.RoundTrip(req)
	}
	name := responseName(req)
	stored, ok := c.load(name)
	if ok && stored.fresh(time.Now()) {
		return stored.response(req), nil
	}
	sent := req
	if tag := stored.Header.Get("Etag"); ok && tag != "" {
		sent = req.Clone(req.Context())
		sent.Header.Set("If-None-Match", tag)
	}
	resp, err := c.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	switch {
	case resp.StatusCode == http.StatusNotModified && sent != req:
		// What is left of the body, usually nothing, is read so that the connection can be used again.
		_, err = io.CopyN(io.Discard, resp.Body, 1<<10)
		if err = errors.Join(ignoreEOF(err), resp.Body.Close()); err != nil {
			return nil, err
		}
		return stored.response(req), nil
	case mayStore(resp):
		header := keptOf(resp.Header)
		resp.Body = &recorder{ReadCloser: resp.Body, done: func(body []byte) {
			if err := c.save(name, newStored(header, body)); err != nil {
				klog.FromContext(req.Context()).V(1).Info("Failed to write HTTP cache", "directory", c.directory, "err", err)
			}
		}}
	}
	return resp, nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// varying are the request headers that the name of a response is made of, or that the transport sets.
var varying = []string{"accept", "accept-encoding"}

// responseName returns the name of the file for the response to a request: a hash, which is a valid name for
// any URL and reveals nothing of it.
func responseName(req *http.Request) string {
	sum := sha256.Sum256([]byte(req.URL.String() + "\n" + strings.Join(req.Header.Values("Accept"), ",")))
	return hex.EncodeToString(sum[:]) + ".response"
}

// mayUseCache reports whether a request is a plain GET without conditions of its own.
func mayUseCache(req *http.Request) bool {
	if req.Method != http.MethodGet {
		return false
	}
	return !slices.ContainsFunc([]string{"Range", "If-None-Match", "If-Modified-Since", "If-Match", "Cache-Control", "Upgrade"},
		func(name string) bool { return req.Header.Get(name) != "" })
}

// mayStore reports whether a response can be used for later requests.
func mayStore(resp *http.Response) bool {
	if resp.StatusCode != http.StatusOK || hasDirective(resp.Header, "no-store") || resp.Header.Get("Content-Encoding") != "" {
		return false
	}
	for _, line := range resp.Header.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			if !slices.Contains(varying, strings.ToLower(strings.TrimSpace(name))) {
				return false
			}
		}
	}
	return resp.Header.Get("Etag") != "" || lifetime(resp.Header) > 0
}

// recorder passes the body of a response on, and calls done with all of it after its end was read.
type recorder struct {
	io.ReadCloser
	done func([]byte) // nil when it was called, or the body is too long
	body bytes.Buffer
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.done == nil {
		return n, err
	}
	r.body.Write(p[:n])
	switch {
	case r.body.Len() > maxFileBytes/2:
		r.done, r.body = nil, bytes.Buffer{}
	case errors.Is(err, io.EOF):
		done := r.done
		r.done = nil
		done(r.body.Bytes())
	}
	return n, err
}

// load returns a stored response; it reports false if there is none, or not a whole one.
func (c *responseCache) load(name string) (stored, bool) {
	content, _, err := c.directory.read(name)
	if err != nil {
		return stored{}, false
	}
	head, body, found := bytes.Cut(content, []byte("\n"))
	var s stored
	if !found || json.Unmarshal(head, &s) != nil || s.Header == nil || s.Sum != sumOf(body) {
		return stored{}, false
	}
	s.body = body
	return s, true
}

func (c *responseCache) save(name string, s stored) error {
	head, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return c.directory.write(name, slices.Concat(head, []byte("\n"), s.body))
}
