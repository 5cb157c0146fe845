package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

// NewStreamDecoder returns a decoder of the watch events in r, which are JSON frames around objects that the
// decoder objects decodes, as one stream (see [codec.ForStream]). Objects are decoded in place in the buffer, which
// grows up to 64 KiB while events arrive faster than they are decoded, and further for larger ones.
//
// Decode returns io.EOF if r ends between two frames, io.ErrUnexpectedEOF if it ends within one, and
// streaming.ErrObjectTooLarge for a frame of more than 16 MiB. An object that cannot be decoded does not end
// the stream: the next call continues after it. Any other error is returned again by later calls.
func NewStreamDecoder(r io.ReadCloser, objects codec.StreamDecoder) watch.Decoder {
	return &stream{buffer: buffer{r: r}, objects: codec.ForStream(objects)}
}

// stream decodes frames. Invariant: start <= searched <= len(buf), the part before searched has no newline.
type stream struct {
	buffer
	objects codec.StreamDecoder
	err     error // why the frames ended
}

// Decode implements watch.Decoder.
func (d *stream) Decode() (watch.EventType, runtime.Object, error) {
	for d.err == nil {
		d.skipSpace()
		// Servers send one frame per line. If a line is not a frame, or its end has not arrived but
		// the frame's may have, the end of the frame is found by reading it as JSON.
		end := bytes.IndexByte(d.buf[d.searched:], '\n')
		if end >= 0 {
			end += d.searched
			if typ, obj, ok := d.line(d.buf[d.start:end]); ok {
				d.done(end + 1)
				d.searched = d.start
				return typ, obj, nil
			}
			return d.frame()
		}
		d.searched = len(d.buf)
		if d.start < len(d.buf) && (d.readErr != nil || d.buf[len(d.buf)-1] == '}') {
			return d.frame()
		}
		if err := d.fill(); err != nil && (d.readErr == nil || d.start == len(d.buf)) {
			d.err = err
		}
	}
	return "", nil, d.err
}

// HasNext reports whether another frame, or the end of the stream, has arrived, so that Decode does not wait. It may
// be false of a frame that is not a line.
func (d *stream) HasNext() bool {
	if d.err != nil {
		return true
	}
	d.skipSpace() // a frame that was not a line leaves the end of its line
	end := bytes.IndexByte(d.buf[d.searched:], '\n')
	if end < 0 {
		d.searched = len(d.buf)
		return false
	}
	d.searched += end // where Decode will look for it
	return true
}

// line decodes a line that is one frame as servers write it. It returns false for everything else,
// and for invalid frames.
func (d *stream) line(line []byte) (watch.EventType, runtime.Object, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`))
	if !ok {
		return "", nil, false
	}
	name, object, ok := bytes.Cut(rest, []byte(`","object":`))
	if !ok {
		return "", nil, false
	}
	typ, ok := eventType(string(name))
	object, closed := bytes.CutSuffix(bytes.TrimRight(object, " \t\r"), []byte("}"))
	if !ok || !closed {
		return "", nil, false
	}
	obj, _, err := d.objects.Decode(object, nil, nil)
	if err != nil {
		return "", nil, false
	}
	return typ, endOf(typ, object, obj), true
}

// frame decodes the next frame, wherever it ends.
func (d *stream) frame() (watch.EventType, runtime.Object, error) {
	frames := json.NewDecoder(&frameReader{d: d})
	var frame json.RawMessage
	if err := frames.Decode(&frame); err != nil {
		switch {
		case d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF):
			d.err = d.readErr
			if d.readErr == io.EOF { //nolint:errorlint // a wrapped one is a failure
				d.err = io.ErrUnexpectedEOF
			}
		case d.readErr != nil && errors.Is(err, d.readErr):
			d.err = d.readErr
		case errors.Is(err, streaming.ErrObjectTooLarge):
			d.err = streaming.ErrObjectTooLarge
		default:
			d.err = err
		}
		return "", nil, d.err
	}
	d.done(d.start + int(frames.InputOffset()))
	d.searched = d.start
	if typ, obj, ok := d.line(frame); ok {
		return typ, obj, nil
	}
	var event metav1.WatchEvent
	got, _, err := d.objects.Decode(frame, nil, &event)
	if err != nil {
		return "", nil, err
	}
	if got != &event {
		return "", nil, errNotEvent
	}
	return decodeObject(&event, d.objects)
}

// skipSpace moves start to the next frame.
func (d *stream) skipSpace() {
	for d.start < len(d.buf) {
		switch d.buf[d.start] {
		case ' ', '\t', '\r', '\n':
			d.start++
		default:
			d.searched = max(d.searched, d.start)
			return
		}
	}
	d.searched = d.start
}

// frameReader reads the buffer from its start, filling it as needed.
type frameReader struct {
	d  *stream
	at int // from d.start
}

func (f *frameReader) Read(p []byte) (int, error) {
	for f.d.start+f.at == len(f.d.buf) {
		if err := f.d.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.d.buf[f.d.start+f.at:])
	f.at += n
	return n, nil
}
