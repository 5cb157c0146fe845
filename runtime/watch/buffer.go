package watch

import (
	"io"

	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
)

const (
	firstBuffer  = 4 << 10
	usualBuffer  = 64 << 10 // up to which a buffer grows because much arrives at once
	keptBuffer   = 1 << 20  // larger ones are dropped after use
	largestFrame = 16 << 20
	manySmall    = 100 // reads that need no more than the first buffer, after which it is used again
)

// buffer contains what has arrived of a stream.
type buffer struct {
	r        io.ReadCloser
	buf      []byte
	start    int   // start of the data that was not decoded yet, in buf
	searched int   // how far that data was looked at
	small    int   // reads in a row that would have fitted into the first buffer
	readErr  error // why r ended
}

// Close implements watch.Decoder.
func (b *buffer) Close() {
	// The error cannot be returned.
	_ = b.r.Close()
}

// done lets go of the data up to end, which was decoded, and of its text: it may be a Secret's, and much time may pass until
// more arrives.
func (b *buffer) done(end int) {
	clear(b.buf[b.start:end])
	b.start = end
}

// fill reads more data into the buffer, and first moves its contents to the front if that makes
// enough room.
func (b *buffer) fill() error {
	if b.readErr != nil {
		return b.readErr
	}
	if b.start == len(b.buf) && (cap(b.buf) > keptBuffer || b.small > manySmall) {
		b.buf, b.searched, b.start, b.small = nil, 0, 0, 0
	}
	if b.start == len(b.buf) {
		b.buf, b.searched, b.start = b.buf[:0], 0, 0
	}
	if len(b.buf) == cap(b.buf) {
		held := b.buf[b.start:]
		if len(held) >= largestFrame {
			return streaming.ErrObjectTooLarge
		}
		// Where the last read has filled the buffer, more is waiting.
		size := max(firstBuffer, 2*len(held), min(2*cap(b.buf), usualBuffer))
		full := b.buf
		if size = min(size, largestFrame); size > cap(b.buf) {
			b.buf = make([]byte, 0, size)
		}
		b.buf = append(b.buf[:0], held...)
		clear(full[len(held):]) // which does nothing that matters if it is no longer used
		b.searched, b.start = max(0, b.searched-b.start), 0
	}
	n, err := b.r.Read(b.buf[len(b.buf):cap(b.buf)])
	b.buf = b.buf[:len(b.buf)+n]
	if b.small++; n > firstBuffer || cap(b.buf) == firstBuffer {
		b.small = 0
	}
	if err != nil {
		b.readErr = err
		if n == 0 {
			return err
		}
	}
	return nil
}
