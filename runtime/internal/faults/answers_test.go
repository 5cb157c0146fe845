package faults_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// answer is what a server does with a request that deserves the answer good.
type answer func(w http.ResponseWriter, r *http.Request, good string)

// handler answers all requests alike.
func (a answer) handler(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	a(w, r, goodFor(r.Method, r.URL.Path, r.URL.Query().Get("watch") == "true"))
}

// once answers the first request so, and those after it well.
func (a answer) once() answer { return a.times(1) }

// times answers the first n requests that a server gets so, and those after it well.
func (a answer) times(n int) answer {
	return func(w http.ResponseWriter, r *http.Request, good string) {
		if attempt(r) <= n {
			a(w, r, good)
			return
		}
		well(w, r, good)
	}
}

// well is how a server should answer.
func well(w http.ResponseWriter, r *http.Request, good string) {
	status(http.StatusOK, "application/json")(w, r, good)
}

// status answers with a status code, a content type and the good body, or other bodies where they are given.
func status(code int, contentType string, body ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request, good string) {
		w.Header()["Content-Type"] = nil // net/http is not to guess
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

// changed answers with the good body after a change.
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

// cutAfter is a body whose end never comes: the connection is closed after the last place where the good one
// has some text. chunked says how the body is framed.
func cutAfter(text string, chunked bool) answer {
	return raw(func(good string) string {
		sent := good[:strings.LastIndex(good, text)+len(text)]
		if chunked {
			return head + "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(sent), sent)
		}
		return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(good), sent)
	})
}

// gzipped answers with the good body compressed, and the compressed bytes changed.
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

// refuse answers with a Status.
func refuse(code int, reason, message, more string) answer {
	return status(code, "application/json", failure(code, reason, message, more))
}
