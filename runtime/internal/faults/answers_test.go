package faults_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// answer is a server's response to a request whose correct response is good.
type answer func(w http.ResponseWriter, r *http.Request, good string)

// handler sends the same response to all requests.
func (a answer) handler(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	a(w, r, goodFor(r.Method, r.URL.Path, r.URL.Query().Get("watch") == "true"))
}

// once sends the response to the first request, and correct ones after that.
func (a answer) once() answer { return a.times(1) }

// times sends the response to the first n requests that a server receives, and correct ones after
// that.
func (a answer) times(n int) answer {
	return func(w http.ResponseWriter, r *http.Request, good string) {
		if attempt(r) <= n {
			a(w, r, good)
			return
		}
		well(w, r, good)
	}
}

// well sends the correct response.
func well(w http.ResponseWriter, r *http.Request, good string) {
	status(http.StatusOK, "application/json")(w, r, good)
}

// status responds with a status code, a content type, and the correct body or the given ones.
func status(code int, contentType string, body ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request, good string) {
		w.Header()["Content-Type"] = nil // keeps net/http from guessing it
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(code)
		if len(body) > 0 {
			good = strings.Join(body, "")
		}
		_, _ = io.WriteString(w, good)
	}
}

// with adds a header.
func (a answer) with(key, value string) answer {
	return func(w http.ResponseWriter, r *http.Request, good string) {
		w.Header().Set(key, value)
		a(w, r, good)
	}
}

// changed responds with a modified correct body.
func changed(change func(good string) string) answer {
	return func(w http.ResponseWriter, r *http.Request, good string) { well(w, r, change(good)) }
}

// raw writes bytes to the connection and closes it.
func raw(text func(good string) string) answer {
	return func(w http.ResponseWriter, _ *http.Request, good string) {
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err) // HTTP/2
		}
		_, _ = buffered.WriteString(text(good))
		_ = buffered.Flush()
		_ = conn.Close()
	}
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// cutAfter sends an incomplete body: the connection is closed after the last occurrence of text in
// the correct one. chunked selects the framing of the body.
func cutAfter(text string, chunked bool) answer {
	return raw(func(good string) string {
		sent := good[:strings.LastIndex(good, text)+len(text)]
		if chunked {
			return head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(sent), sent)
		}
		return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(good), sent)
	})
}

// gzipped responds with the correct body compressed, with the compressed bytes modified.
func gzipped(change func([]byte) []byte) answer {
	return func(w http.ResponseWriter, r *http.Request, good string) {
		var buf bytes.Buffer
		z := gzip.NewWriter(&buf)
		_, _ = io.WriteString(z, good)
		_ = z.Close()
		status(http.StatusOK, "application/json").with("Content-Encoding", "gzip")(w, r, string(change(buf.Bytes())))
	}
}

// failure returns the text of a Status.
func failure(code int, reason, message, more string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,%s"code":%d}`, message, reason, more, code)
}

// refuse responds with a Status.
func refuse(code int, reason, message, more string) answer {
	return status(code, "application/json", failure(code, reason, message, more))
}
