package disk

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// respond is a round tripper.
type respond func(*http.Request) *http.Response

func (f respond) RoundTrip(req *http.Request) (*http.Response, error) { return f(req), nil }

// get returns the body of a response, and whether it is from the cache.
func get(t testing.TB, rt http.RoundTripper, url string, header http.Header) (status int, body string, cached bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(content), resp.Header.Get("X-From-Cache") != ""
}

// TestResponses sends the same request twice, half an hour apart.
func TestResponses(t *testing.T) {
	const url = "http://server.test/doc?hash=1"
	date := func(after time.Duration) string { return time.Now().Add(after).UTC().Format(http.TimeFormat) }
	for _, tt := range []struct {
		name   string
		header func() http.Header
		status int
		ask    http.Header
		// What the second request leads to.
		want string
	}{
		{"no validator", func() http.Header { return http.Header{} }, 200, nil, "requested"},
		{"tag", func() http.Header { return http.Header{"Etag": {`"1"`}} }, 200, nil, "confirmed"},
		{"tag, never without the server", func() http.Header {
			return http.Header{"Etag": {`"1"`}, "Cache-Control": {"no-cache, private"}}
		}, 200, nil, "confirmed"},
		{"fresh for an hour", func() http.Header { return http.Header{"Cache-Control": {"public, max-age=3600"}} }, 200, nil, "cached"},
		{"fresh for a minute", func() http.Header { return http.Header{"Cache-Control": {"max-age=60"}} }, 200, nil, "requested"},
		{"fresh for a minute, with a tag", func() http.Header {
			return http.Header{"Cache-Control": {"max-age=60"}, "Etag": {`"1"`}}
		}, 200, nil, "confirmed"},
		{"max-age that is no number", func() http.Header { return http.Header{"Cache-Control": {"max-age=x"}} }, 200, nil, "requested"},
		{"expires in a year", func() http.Header {
			return http.Header{"Cache-Control": {"public, immutable"}, "Expires": {date(8760 * time.Hour)}, "Date": {date(0)}}
		}, 200, nil, "cached"},
		{"expires in a year, as Kubernetes writes it", func() http.Header {
			return http.Header{"Expires": {time.Now().AddDate(1, 0, 0).UTC().Format(time.RFC1123)}, "Date": {date(0)}}
		}, 200, nil, "cached"},
		{"expires at an unreadable time", func() http.Header { return http.Header{"Expires": {"soon"}, "Date": {date(0)}} }, 200, nil, "requested"},
		{"expired", func() http.Header { return http.Header{"Expires": {date(-time.Hour)}, "Date": {date(0)}} }, 200, nil, "requested"},
		{"not to be stored", func() http.Header {
			return http.Header{"Cache-Control": {"no-store", "max-age=3600"}, "Etag": {`"1"`}}
		}, 200, nil, "requested"},
		{"varies with Accept", func() http.Header { return http.Header{"Vary": {"Accept, Accept-Encoding"}, "Etag": {`"1"`}} }, 200, nil, "confirmed"},
		{"varies with the user", func() http.Header { return http.Header{"Vary": {"Authorization"}, "Etag": {`"1"`}} }, 200, nil, "requested"},
		{"varies with anything", func() http.Header { return http.Header{"Vary": {"*"}, "Etag": {`"1"`}} }, 200, nil, "requested"},
		{"encoded", func() http.Header { return http.Header{"Content-Encoding": {"gzip"}, "Etag": {`"1"`}} }, 200, nil, "requested"},
		{"not found", func() http.Header { return http.Header{"Cache-Control": {"max-age=3600"}} }, 404, nil, "requested"},
		{"server error", func() http.Header { return http.Header{"Etag": {`"1"`}} }, 500, nil, "requested"},
		{"own condition", func() http.Header { return http.Header{"Etag": {`"1"`}} }, 200, http.Header{"If-None-Match": {`"2"`}}, "requested"},
		{"range", func() http.Header { return http.Header{"Cache-Control": {"max-age=3600"}} }, 200, http.Header{"Range": {"bytes=0-1"}}, "requested"},
		{"past the cache", func() http.Header { return http.Header{"Cache-Control": {"max-age=3600"}} }, 200, http.Header{"Cache-Control": {"no-cache"}}, "requested"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				header := tt.header()
				var happened string
				cache := &responseCache{respond(func(req *http.Request) *http.Response {
					happened = "requested"
					resp := &http.Response{StatusCode: tt.status, Header: header.Clone(), Body: io.NopCloser(strings.NewReader("content"))}
					if tag := req.Header.Get("If-None-Match"); tag != "" && tag == header.Get("Etag") {
						happened = "confirmed"
						resp.StatusCode, resp.Body = http.StatusNotModified, http.NoBody
					}
					return resp
				}), directory(dir)}
				get(t, cache, url, tt.ask.Clone())
				time.Sleep(30 * time.Minute)
				happened = "cached"
				status, body, cached := get(t, cache, url, tt.ask.Clone())
				if happened != tt.want || status != tt.status || body != "content" || cached != (tt.want != "requested") {
					t.Errorf("%s: got %d %q, cached %v", happened, status, body, cached)
				}
			})
		})
	}
}

func TestResponsesAreKeptApart(t *testing.T) {
	count := 0
	cache := &responseCache{respond(func(req *http.Request) *http.Response {
		count++
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Cache-Control": {"max-age=3600"}},
			Body: io.NopCloser(strings.NewReader(req.URL.String() + req.Header.Get("Accept"))),
		}
	}), directory(t.TempDir())}
	for range 2 {
		for _, url := range []string{"http://a.test/", "http://a.test/?b", "http://b.test/"} {
			for _, accept := range []string{"a", "b"} {
				if _, body, _ := get(t, cache, url, http.Header{"Accept": {accept}}); body != url+accept {
					t.Errorf("%s %s: got %s", url, accept, body)
				}
			}
		}
	}
	if count != 6 {
		t.Errorf("%d requests", count)
	}
}

// Files that are not as they were written are not used; a body that was not read to its end is not stored.
func TestBrokenResponses(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"empty":        func(string) string { return "" },
		"cut off":      func(s string) string { return s[:len(s)-1] },
		"longer":       func(s string) string { return s + "x" },
		"without head": func(s string) string { _, body, _ := strings.Cut(s, "\n"); return body },
		"of client-go": func(string) string { return strings.Repeat("\x01", 32) + "HTTP/1.1 200 OK\r\n\r\ncontent" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			count := 0
			cache := &responseCache{respond(func(*http.Request) *http.Response {
				count++
				return &http.Response{
					StatusCode: http.StatusOK, Header: http.Header{"Cache-Control": {"max-age=3600"}},
					Body: io.NopCloser(strings.NewReader("content")),
				}
			}), directory(dir)}
			get(t, cache, "http://a.test/", nil)
			for file, mode := range files(t, dir) {
				if !mode.IsRegular() {
					continue
				}
				file = filepath.Join(dir, file)
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				write(t, file, change(string(content)), 0o600)
			}
			for range 2 {
				if _, body, _ := get(t, cache, "http://a.test/", nil); body != "content" {
					t.Errorf("got %q", body)
				}
			}
			if count != 2 {
				t.Errorf("%d requests", count)
			}
		})
	}
}

func TestUnreadResponse(t *testing.T) {
	dir := t.TempDir()
	cache := &responseCache{respond(func(*http.Request) *http.Response {
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{"Cache-Control": {"max-age=3600"}},
			Body: io.NopCloser(strings.NewReader("content")),
		}
	}), directory(dir)}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := cache.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(1, len(files(t, dir))); d != "" {
		t.Errorf("a part was stored: %v", files(t, dir))
	}
}

func FuzzStoredResponse(f *testing.F) {
	f.Add([]byte("{\"header\":{\"Etag\":[\"1\"]},\"sum\":\"\"}\ncontent"))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"sum":"` + sumOf(nil) + `"}` + "\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a"), string(content), 0o600)
		s, ok := (&responseCache{directory: directory(dir)}).load("a")
		if !ok {
			return
		}
		if sumOf(s.body) != s.Sum {
			t.Errorf("sum is %s", s.Sum)
		}
		s.fresh(time.Now())
		if err := s.response(nil).Body.Close(); err != nil {
			t.Error(err)
		}
	})
}
