package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// input is a text that arrives in parts.
type input struct {
	r   io.Reader // nil if the text is held as a whole
	err error     // why there is no more

	buf  []byte
	at   int  // what is before it has been decoded
	mark int  // what is before it is no longer needed: the end of the last part that was decoded; <= at
	kept bool // whether all that was read is still in buf

	// outline is the text up to mark, with one empty object in place of the elements that were decoded. It is nil unless
	// it was asked for by begin.
	outline []byte

	parts PartReader // is notified of the parts of a list, if not nil
	fills int        // how often more was read
	last  int        // length of the last item
}

const (
	firstBuffer = 4 << 10
	// usualBuffer is the size up to which a buffer grows because much arrives at once; further, it grows only for
	// items that are larger.
	usualBuffer = 64 << 10
	// largestBuffer is the size up to which buffers are reused for other texts.
	largestBuffer = 1 << 20
	// longestHead is the length of texts in which a head is looked for.
	longestHead = 64 << 10
	// deepest is the depth of the deepest text that apimachinery decodes.
	deepest = 10000
)

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, firstBuffer); return &b }}

func newInput(r io.Reader) *input {
	return &input{r: r, buf: (*buffers.Get().(*[]byte))[:0], kept: true}
}

// release returns the buffer to the pool, unless the requested object references it.
func (in *input) release(into runtime.Object) {
	if _, holds := into.(*runtime.Unknown); !holds && in.r != nil && cap(in.buf) <= largestBuffer {
		buffers.Put(&in.buf)
	}
}

// more reads more. It returns false if there is none, and why in err.
func (in *input) more() bool {
	if in.err != nil {
		return false
	}
	if len(in.buf) == cap(in.buf) {
		in.grow()
	}
	n, err := in.r.Read(in.buf[len(in.buf):cap(in.buf)])
	in.buf = in.buf[:len(in.buf)+n]
	in.err = err
	in.fills++
	return n > 0 || err == nil
}

// grow makes room in the buffer.
func (in *input) grow() {
	left := in.buf
	if !in.kept {
		left = in.buf[in.mark:]
		in.at -= in.mark
		in.mark = 0
	}
	size := cap(in.buf)
	if size < usualBuffer || len(left) > size/2 {
		size = max(2*size, firstBuffer)
	}
	if size == cap(in.buf) {
		in.buf = in.buf[:copy(in.buf, left)]
		return
	}
	in.buf = append(make([]byte, 0, size), left...)
}

// head returns the head of the text.
func (in *input) head(s *session) head {
	for {
		if h := s.head(in.buf); h.stops() || len(in.buf) > longestHead || !in.more() {
			return h
		}
	}
}

// all returns the whole text.
func (in *input) all() ([]byte, error) {
	for in.more() {
		continue
	}
	if in.err != io.EOF { //nolint:errorlint // a wrapped io.EOF is a failure
		return nil, in.err
	}
	return in.buf, nil
}

// begin lets go of the text before the position at, and of what is read from then on once it has been decoded. If
// outlined, it keeps an outline.
func (in *input) begin(at int, outlined bool) {
	if outlined {
		in.outline = bytes.Clone(in.buf[:at])
	}
	in.at, in.mark, in.kept = at, at, false
	in.parts, _ = in.r.(PartReader)
	in.nextPart()
}

// nextPart begins a part of a list.
func (in *input) nextPart() {
	if in.parts != nil {
		in.parts.NextPart()
	}
}

// pass lets go of the part that was decoded last. The first n bytes of it, and then instead, go to the outline.
func (in *input) pass(n int, instead string) {
	if in.outline != nil {
		in.outline = append(append(in.outline, in.buf[in.mark:in.mark+n]...), instead...)
	}
	in.mark = in.at
}

// outlined returns the outline, and after it the whole text from there on. Nothing can be read afterwards.
func (in *input) outlined() ([]byte, error) {
	in.at = in.mark
	rest, err := in.all()
	if err != nil {
		return nil, err
	}
	return append(in.outline, rest[in.mark:]...), nil
}

// failure is the error of a text that ends too early.
func (in *input) failure() error {
	if in.err == io.EOF { //nolint:errorlint // a wrapped io.EOF is a failure
		return io.ErrUnexpectedEOF
	}
	return in.err
}

// peek returns the next byte that is not white space.
func (in *input) peek() (byte, error) {
	for {
		if in.at = jsonscan.Space(in.buf, in.at); in.at < len(in.buf) {
			return in.buf[in.at], nil
		}
		if !in.more() {
			return 0, in.failure()
		}
	}
}

// expect reads the byte c.
func (in *input) expect(c byte) error {
	got, err := in.peek()
	if err != nil {
		return err
	}
	if got != c {
		return fmt.Errorf("invalid character %q, want %q", got, c)
	}
	in.at++
	return nil
}

var errTooDeep = errors.New("exceeded max depth")

// value reads the next value, which is in a value of that depth. It is not checked. It is valid until more is read.
func (in *input) value(depth int) ([]byte, error) {
	if _, err := in.peek(); err != nil {
		return nil, err
	}
	var f jsonscan.Frame
	from := in.at
	for seen := in.at; ; {
		end := f.End(in.buf, seen)
		if f.Deepest+depth > deepest {
			return nil, errTooDeep
		}
		if end >= 0 {
			in.at = end
			return in.buf[from:end], nil
		}
		seen = len(in.buf)
		held := seen - in.at
		if !in.more() {
			return nil, in.failure()
		}
		from = in.at // the buffer may have been moved
		seen = in.at + held
	}
}

// name reads the name of the next member, its colon, and what separates it from the last one. It returns false if
// the object ends. The name is valid until more is read.
func (in *input) name(s *session, first bool) (name string, more bool, err error) {
	in.pass(in.at-in.mark, "")
	c, err := in.peek()
	if err != nil {
		return "", false, err
	}
	if c == '}' {
		in.at++
		return "", false, nil
	}
	if !first {
		if err = in.expect(','); err != nil {
			return "", false, err
		}
		if c, err = in.peek(); err != nil {
			return "", false, err
		}
	}
	if c != '"' {
		return "", false, fmt.Errorf("invalid character %q looking for beginning of object key string", c)
	}
	raw, err := in.value(1)
	if err != nil {
		return "", false, err
	}
	s.Text = raw
	b, _, next := s.String(0)
	if next != len(raw) {
		return "", false, errors.New("invalid string as object key")
	}
	name = string(b)
	return name, true, in.expect(':')
}

// elements reads the array that follows, and calls each in front of its elements.
func (in *input) elements(each func(index int) error) error {
	if err := in.expect('['); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := in.peek()
		if err != nil {
			return err
		}
		if c == ']' && i == 0 {
			break
		}
		in.nextPart()
		before := in.at - in.mark
		if err = each(i); err != nil {
			return err
		}
		if i == 0 {
			in.pass(before, "{}")
		} else {
			in.pass(0, "")
		}
		if c, err = in.peek(); err != nil {
			return err
		}
		if c == ']' {
			break
		}
		if err = in.expect(','); err != nil {
			return err
		}
	}
	in.nextPart()
	in.at++
	return nil
}

var errTrailing = errors.New("more than one value")

// end reports whether the text is at its end.
func (in *input) end() error {
	_, err := in.peek()
	switch {
	case err == nil:
		return errTrailing
	case in.err == io.EOF: //nolint:errorlint // a wrapped one is a failure of the reader
		return nil
	}
	return err
}
