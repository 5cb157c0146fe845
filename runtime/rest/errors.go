package rest

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/http2"

	"github.com/listwatch/listwatch/runtime/compat"
)

// ErrBodyTooLarge is wrapped by every [BodyTooLargeError].
var ErrBodyTooLarge = errors.New("response body too large")

// BodyTooLargeError reports that a response was not read to its end because it, or an item of the list in it,
// is larger after decompression than any object should be, or than [Request.LimitBody] allows.
type BodyTooLargeError struct {
	// Limit is the largest allowed size, in bytes.
	Limit int64
	// Item is true if Limit applies to an item of a list.
	Item bool
}

// Error implements error.
func (e *BodyTooLargeError) Error() string {
	if e.Item {
		return fmt.Sprintf("%v: list item exceeds %d bytes", ErrBodyTooLarge, e.Limit)
	}
	return fmt.Sprintf("%v: response exceeds %d bytes", ErrBodyTooLarge, e.Limit)
}

// Unwrap returns [ErrBodyTooLarge].
func (e *BodyTooLargeError) Unwrap() error { return ErrBodyTooLarge }

// BodyError reports that the body of a response broke off or could not be decompressed. The server may have
// carried out the request.
type BodyError struct {
	// Read is the number of decompressed bytes received before the error.
	Read int64
	// Err is the cause: io.ErrUnexpectedEOF if the connection was closed or compressed data ends early,
	// http2.StreamError if the server aborted the stream, a context's error, and so on.
	Err error
}

// Error implements error.
func (e *BodyError) Error() string {
	var reset http2.StreamError
	if errors.As(e.Err, &reset) {
		return fmt.Sprintf("stream error when reading response body, may be caused by closed connection. Please retry. Original error: %v", e.Err)
	}
	return fmt.Sprintf("unexpected error when reading response body. Please retry. Original error: %v", e.Err)
}

// Unwrap returns Err.
func (e *BodyError) Unwrap() error { return e.Err }

// ContentTypeError reports a successful response in a format without a decoder, for instance from a proxy in
// front of the server.
type ContentTypeError struct {
	// ContentType is the response's header.
	ContentType string
	// StatusCode is the response's status code.
	StatusCode int
	// Err is the cause, nil if the format has no decoder.
	Err error
}

// Unwrap returns Err.
func (e *ContentTypeError) Unwrap() error { return e.Err }

// Error implements error. If [compat.IsClientGo], it returns only the cause.
func (e *ContentTypeError) Error() string {
	cause, hint := fmt.Sprintf("serializer for %s doesn't exist", e.ContentType), ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	if compat.IsClientGo() {
		return cause
	}
	if strings.HasPrefix(e.ContentType, "text/") {
		hint = " (is it the page of a proxy or a login?)"
	}
	return fmt.Sprintf("server returned status code %d and content type %q: %s%s", e.StatusCode, e.ContentType, cause, hint)
}

// RequestConstructionError reports a failure to build a request. This package does not return it; it is for
// code that builds requests.
type RequestConstructionError struct {
	Err error
}

// Error implements error.
func (r *RequestConstructionError) Error() string {
	return fmt.Sprintf("request construction error: '%v'", r.Err)
}

// previousError is the last error together with one of an earlier attempt, which is often more specific.
type previousError struct {
	err, previous error
}

func (e *previousError) Error() string {
	return fmt.Sprintf("%v - error from a previous attempt: %v", e.err, e.previous)
}

// Unwrap returns the last error only, which determines the kind of the whole.
func (e *previousError) Unwrap() error { return e.err }
