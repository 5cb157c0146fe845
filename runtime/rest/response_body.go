package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/listwatch/listwatch/runtime/codec"
)

const (
	// maxObjectBytes bounds a response that is one object, and an item of a list that is decoded while it
	// arrives. Known servers store objects of a few MiB at most.
	maxObjectBytes = 128 << 20
	// maxErrorBytes bounds the body of an error; the rest is not read.
	maxErrorBytes = 4 << 20
	// maxErrorTextBytes bounds the part of a body that an error quotes if it is not a Status.
	maxErrorTextBytes = 2 << 10
	// maxDrainBytes bounds the unused rest of a body that is read so that its connection can be reused.
	maxDrainBytes = 2 << 10
	// beginningBytes is the length of the beginning of a body that is kept to recognize its format.
	beginningBytes = 128
	// maxPresizeBytes bounds the buffer that is allocated according to the server's Content-Length.
	maxPresizeBytes = 1 << 20
)

// bodyReader reads the body of a response that is decoded. It counts the bytes, keeps the first of them, and
// remembers the error that broke it, which a decoder may not return.
type bodyReader struct {
	body io.Reader
	max  int64 // limit of the whole body; negative for none
	read int64 // <= max, if there is one
	err  error // *BodyError or *BodyTooLargeError, once the body is broken

	maxPart int64 // limit of an item of a list
	partEnd int64 // where the current item must end; 0 if unknown

	first [beginningBytes]byte // the first bytes that were read
}

var _ codec.PartReader = (*bodyReader)(nil)

// errorAfterBytes reads a body so that an error comes after the bytes before it, never with them. A failure in the bytes then
// precedes the error, however much of the body was read at once.
type errorAfterBytes struct {
	io.Reader
	err error // for the next Read
}

func (a *errorAfterBytes) Read(p []byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.err, err = err, nil
	}
	return n, err
}

// beginning returns the first bytes that were read.
func (b *bodyReader) beginning() []byte { return b.first[:min(b.read, beginningBytes)] }

// NextPart implements [codec.PartReader]. Bytes that the decoder has read ahead count for neither item.
func (b *bodyReader) NextPart() { b.partEnd = b.read + b.maxPart }

func (b *bodyReader) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.body.Read(p)
	if b.max >= 0 && int64(n) > b.max-b.read {
		n = int(b.max - b.read)
		err = &BodyTooLargeError{Limit: b.max}
		b.err = err
	} else if b.partEnd > 0 && int64(n) > b.partEnd-b.read {
		n = int(b.partEnd - b.read)
		err = &BodyTooLargeError{Limit: b.maxPart, Item: true}
		b.err = err
	} else if err != nil && !errors.Is(err, io.EOF) {
		err = &BodyError{Read: b.read + int64(n), Err: err}
		b.err = err
	}
	if b.read < beginningBytes {
		copy(b.first[b.read:], p[:n])
	}
	b.read += int64(n)
	return n, err
}

// readAll reads the whole body. length is its announced length, or less than 1.
func (b *bodyReader) readAll(length int64) ([]byte, error) {
	if length <= 0 {
		return io.ReadAll(b)
	}
	var buf bytes.Buffer
	buf.Grow(int(min(length, maxPresizeBytes)) + bytes.MinRead)
	_, err := buf.ReadFrom(b)
	return buf.Bytes(), err
}

// drain closes the body of a response. If little or nothing is left of it, it is read first, so that the
// connection can be reused.
func drain(resp *http.Response) {
	if resp.ContentLength <= maxDrainBytes {
		// An error only means that the connection is not reused.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrainBytes)
	}
	_ = resp.Body.Close()
}
