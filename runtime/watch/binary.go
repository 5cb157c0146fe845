package watch

import (
	"encoding/binary"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

// NewProtobufDecoder returns a decoder of the watch events in r, each of which is an encoded WatchEvent after its
// length, as one stream (see [codec.ForStream]). The decoder frames decodes what API servers do not write. Objects are
// decoded in place in the buffer, which grows as that of [NewStreamDecoder].
//
// Decode returns io.EOF if r ends between two frames, io.ErrUnexpectedEOF if it ends within one, and
// streaming.ErrObjectTooLarge once 16 MiB of a longer frame have arrived. An event that cannot be decoded does not end
// the stream: the next call continues after it. Any other error is returned again by later calls.
func NewProtobufDecoder(r io.ReadCloser, frames runtime.Decoder, objects codec.StreamDecoder) watch.Decoder {
	return &binaryStream{buffer: buffer{r: r}, frames: frames, objects: codec.ForStream(objects)}
}

// lengthSize is the size of the length in front of a frame.
const lengthSize = 4

// binaryStream decodes frames that begin with their length.
type binaryStream struct {
	buffer
	frames  runtime.Decoder
	objects codec.StreamDecoder
	err     error // why the frames ended
}

// Decode implements watch.Decoder.
func (d *binaryStream) Decode() (watch.EventType, runtime.Object, error) {
	for d.err == nil {
		frame, ok := d.next()
		if ok {
			defer d.done(d.start + lengthSize + len(frame))
			return d.event(frame)
		}
		if d.err == nil {
			d.err = d.fill()
		}
	}
	if d.err == io.EOF && d.start < len(d.buf) { //nolint:errorlint // a wrapped one is a failure
		d.err = io.ErrUnexpectedEOF
	}
	return "", nil, d.err
}

// HasNext reports whether another frame, or the end of the stream, has arrived, so that Decode does not wait.
func (d *binaryStream) HasNext() bool {
	_, ok := d.next()
	return ok || d.err != nil
}

// next returns the next frame, if it has arrived.
func (d *binaryStream) next() ([]byte, bool) {
	arrived := d.buf[d.start:]
	if len(arrived) < lengthSize {
		return nil, false
	}
	n := binary.BigEndian.Uint32(arrived)
	if arrived = arrived[lengthSize:]; uint64(n) > uint64(len(arrived)) {
		return nil, false
	}
	return arrived[:n], true
}

// event decodes a frame.
func (d *binaryStream) event(frame []byte) (watch.EventType, runtime.Object, error) {
	if name, rest, ok := member(frame, eventTypeTag); ok {
		if extension, ok := only(rest, eventObjectTag); ok {
			if object, ok := only(extension, extensionRawTag); ok {
				if typ, known := eventType(string(name)); known && (typ == watch.Added || typ == watch.Modified) {
					if text := codec.TextOf(d.objects, object); text != nil {
						return typ, text, nil
					}
				}
				return decodeNamed(string(name), object, d.objects)
			}
		}
	}
	var event metav1.WatchEvent
	got, _, err := d.frames.Decode(frame, nil, &event)
	if err != nil {
		return "", nil, err
	}
	if got != &event {
		return "", nil, errNotEvent
	}
	return decodeObject(&event, d.objects)
}

// The tags of the fields of a WatchEvent and of the RawExtension in it.
const (
	eventTypeTag    = 1<<3 | 2
	eventObjectTag  = 2<<3 | 2
	extensionRawTag = 1<<3 | 2
)

// only returns the content of the field with that tag, if text consists of it.
func only(text []byte, tag byte) ([]byte, bool) {
	content, rest, ok := member(text, tag)
	return content, ok && len(rest) == 0
}

// member returns the content of the field with that tag that text begins with, and what is after it.
func member(text []byte, tag byte) (content, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != tag {
		return nil, nil, false
	}
	n, size := binary.Uvarint(text[1:])
	if size <= 0 || n > uint64(len(text)-1-size) {
		return nil, nil, false
	}
	text = text[1+size:]
	return text[:n:n], text[n:], true
}
