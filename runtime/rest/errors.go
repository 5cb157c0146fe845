package rest

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/http2"
)

// ErrBodyTooLarge is what errors.Is finds in a [BodyTooLargeError].
var ErrBodyTooLarge = errors.New("response body too large")

// BodyTooLargeError says that an answer was not read to its end because it, or an item of the list that it is, is
// larger, decompressed, than any object should be, or than [Request.LimitBody] allows.
type BodyTooLargeError struct {
	// Limit is the size in bytes up to which it would have been read.
	Limit int64
	// Item says that the limit is that of an item of a list.
	Item bool
}

// Error implements error.
func (e *BodyTooLargeError) Error() string {
	if e.Item {
		return fmt.Sprintf("%v: an item of the list may have %d bytes", ErrBodyTooLarge, e.Limit)
	}
	return fmt.Sprintf("%v: the answer may have %d bytes", ErrBodyTooLarge, e.Limit)
}

// Unwrap returns [ErrBodyTooLarge].
func (e *BodyTooLargeError) Unwrap() error { return ErrBodyTooLarge }

// BodyError says that the body of an answer broke off or could not be decompressed. The request may have
// been carried out.
type BodyError struct {
	// Read is how many bytes, decompressed, came before.
	Read int64
	// Err is what happened: io.ErrUnexpectedEOF where the connection was closed or compressed data end
	// early, http2.StreamError where the server gave up the stream, a context's error, and so on.
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

// Unwrap returns what happened.
func (e *BodyError) Unwrap() error { return e.Err }

// ContentTypeError says that a successful answer came in a format for which there is no decoder, as when a
// proxy answers in the place of the server.
type ContentTypeError struct {
	// ContentType is the header that came.
	ContentType string
	// StatusCode is the status that came.
	StatusCode int
	// Err is the cause, or nil where it is only that there is no decoder.
	Err error
}

// Unwrap returns Err.
func (e *ContentTypeError) Unwrap() error { return e.Err }

// Error implements error.
func (e *ContentTypeError) Error() string {
	cause, hint := fmt.Sprintf("serializer for %s doesn't exist", e.ContentType), ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	if strings.HasPrefix(e.ContentType, "text/") {
		hint = " (is it a page of a proxy or a login?)"
	}
	return fmt.Sprintf("the server answered with status code %d and content type %q: %s%s", e.StatusCode, e.ContentType, cause, hint)
}

// RequestConstructionError is an error in setting up a request. It is not used by this package; it is for
// those who build requests with it.
type RequestConstructionError struct {
	Err error
}

// Error implements error.
func (r *RequestConstructionError) Error() string {
	return fmt.Sprintf("request construction error: '%v'", r.Err)
}

// previousError is an error with that of an earlier attempt, which often says more.
type previousError struct {
	err, previous error
}

func (e *previousError) Error() string {
	return fmt.Sprintf("%v - error from a previous attempt: %v", e.err, e.previous)
}

// Unwrap returns the last error only: what it is, the whole is.
func (e *previousError) Unwrap() error { return e.err }
