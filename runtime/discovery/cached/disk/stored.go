package disk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stored is a response as its file contains it: this as a line of JSON, then the body.
type stored struct {
	// Header has the kept headers only.
	Header http.Header `json:"header"`
	// At is the time when the response was received.
	At time.Time `json:"at"`
	// Sum is the SHA-256 of the body, in hexadecimal: files are not synced to the disk, and one may be cut off
	// after a crash.
	Sum  string `json:"sum"`
	body []byte
}

// kept are the headers of a response that are stored. All others, which may contain secrets, are not.
var kept = []string{"Content-Type", "Etag", "Cache-Control", "Expires", "Date", "Last-Modified"}

// keptOf returns a copy of the headers that are kept.
func keptOf(header http.Header) http.Header {
	result := http.Header{}
	for _, name := range kept {
		if values := header.Values(name); len(values) > 0 {
			result[name] = slices.Clone(values)
		}
	}
	return result
}

func newStored(header http.Header, body []byte) stored {
	return stored{Header: header, At: time.Now(), Sum: sumOf(body), body: body}
}

func sumOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// fresh reports whether the server allows the use without a request.
func (s stored) fresh(now time.Time) bool {
	age := now.Sub(s.At)
	return age >= 0 && age < lifetime(s.Header)
}

// response returns the stored response as one to req.
func (s stored) response(req *http.Request) *http.Response {
	header := s.Header.Clone()
	header.Set("X-From-Cache", "1")
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(s.body)),
		ContentLength: int64(len(s.body)),
		Request:       req,
	}
}

// lifetime returns how long a response may be used without a request, by its headers (RFC 9111, section 4.2.1).
// It is zero without explicit headers.
func lifetime(header http.Header) time.Duration {
	if hasDirective(header, "no-cache") {
		return 0
	}
	if seconds, ok := directive(header, "max-age"); ok {
		n, err := strconv.ParseInt(seconds, 10, 32)
		if err != nil {
			return 0
		}
		return time.Duration(n) * time.Second
	}
	expires, err := http.ParseTime(header.Get("Expires"))
	if err != nil {
		// Kubernetes names its own time zone, where RFC 9110 has GMT only.
		if expires, err = time.Parse(time.RFC1123, header.Get("Expires")); err != nil {
			return 0
		}
	}
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0
	}
	return expires.Sub(date)
}

func hasDirective(header http.Header, name string) bool {
	_, ok := directive(header, name)
	return ok
}

// directive returns the value of a directive of Cache-Control, "" for one without a value.
func directive(header http.Header, name string) (value string, ok bool) {
	for _, line := range header.Values("Cache-Control") {
		for part := range strings.SplitSeq(line, ",") {
			key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			if strings.EqualFold(key, name) {
				return strings.Trim(value, `"`), true
			}
		}
	}
	return "", false
}
