package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/listwatch/listwatch/runtime/codec"
)

const (
	// maxObjectBytes bounds an answer that is one object, and an item of a list that is decoded while it
	// comes in. The servers known store objects of a few MiB at most.
	maxObjectBytes = 128 << 20
	// maxErrorBytes bounds the body of an error; what comes after it is not read.
	maxErrorBytes = 4 << 20
	// maxErrorTextBytes bounds what an error quotes of a body that is not a Status.
	maxErrorTextBytes = 2 << 10
	// maxDrainBytes bounds what is read of a body that nobody wants, so that its connection can be
	// used again.
	maxDrainBytes = 2 << 10
	// beginningBytes is how much is kept of a body to see what it is.
	beginningBytes = 128
	// maxPresizeBytes bounds how far the server's word about the length of a body is taken.
	maxPresizeBytes = 1 << 20
)

// bodyReader reads the body of an answer that is to be decoded. It counts the bytes, keeps the first of them, and
// remembers what broke it, which a decoder may not hand on.
type bodyReader struct {
	body io.Reader
	max  int64 // read no more than this; negative for all
	read int64 // <= max, where there is one
	err  error // *BodyError or *BodyTooLargeError, once the body is broken

	maxPart int64 // read no more than this for an item of a list
	partEnd int64 // where the item at hand has to end; 0 where none is known

	first [beginningBytes]byte // of the bytes that were read
}

var _ codec.PartReader = (*bodyReader)(nil)

// apart reads a body so that no error comes with bytes, but after them. Who fails in the bytes has not met the
// error then, however much of the body was read at once.
type apart struct {
	io.Reader
	err error // for the next Read
}

func (a *apart) Read(p []byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	n, err := a.Reader.Read(p)
	if n > 0 {
		a.err, err = err, nil
	}
	return n, err
}

// beginning returns the first bytes of what was read.
func (b *bodyReader) beginning() []byte { return b.first[:min(b.read, beginningBytes)] }

// NextPart implements [codec.PartReader]. What the decoder has read ahead counts for neither item.
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

// readAll reads the body whole. length is how long it is said to be, or less than 1.
func (b *bodyReader) readAll(length int64) ([]byte, error) {
	if length <= 0 {
		return io.ReadAll(b)
	}
	var buf bytes.Buffer
	buf.Grow(int(min(length, maxPresizeBytes)) + bytes.MinRead)
	_, err := buf.ReadFrom(b)
	return buf.Bytes(), err
}

// drain closes the body of an answer. Where little or nothing is left of it, that is read, so that
// the connection can be used again.
func drain(resp *http.Response) {
	if resp.ContentLength <= maxDrainBytes {
		// An error only means that the connection will not be used again.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrainBytes)
	}
	_ = resp.Body.Close()
}
