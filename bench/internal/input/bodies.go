package input

import (
	"encoding/json"
	"fmt"
	"io"
)

// Bodies are prepared JSON responses for a number of custom resources. They are safe for
// concurrent use; the returned readers are not.
type Bodies struct {
	objects [][]byte
}

// NewBodies prepares the responses for n machines.
func NewBodies(n int) (*Bodies, error) {
	b := &Bodies{objects: make([][]byte, n)}
	for i := range b.objects {
		data, err := json.Marshal(Machine(i))
		if err != nil {
			return nil, err
		}
		b.objects[i] = data
	}
	return b, nil
}

// Object returns the object with this number. The caller must not modify it.
func (b *Bodies) Object(number int) []byte {
	return b.objects[number%len(b.objects)]
}

// List returns a list of n objects, at least one, with its fields sorted as in API servers' lists
// of custom resources. If n exceeds the number of prepared objects, they are repeated.
func (b *Bodies) List(n int) io.ReadCloser {
	tail := fmt.Sprintf(`],"kind":"MachineList","metadata":{"resourceVersion":"%s"}}`+"\n", ResourceVersion(n))
	return b.join(n, `{"apiVersion":"fleet.example.com/v1","items":[`, ",", tail)
}

// Watch returns n modification events, at least one, for the same objects as List.
func (b *Bodies) Watch(n int) io.ReadCloser { return b.Events("MODIFIED", n) }

// Events returns n events of a type, at least one, for the same objects as List.
func (b *Bodies) Events(kind string, n int) io.ReadCloser {
	head, tail := `{"type":"`+kind+`","object":`, "}\n"
	return b.join(n, head, tail+head, tail)
}

// join returns n objects with text before, between and after them.
func (b *Bodies) join(n int, before, between, behind string) io.ReadCloser {
	return io.NopCloser(&joined{
		objects: b, left: n,
		piece: []byte(before), between: []byte(between), behind: []byte(behind),
	})
}

// joined reads objects with text in between.
type joined struct {
	objects *Bodies
	next    int    // the next object
	left    int    // the remaining objects
	piece   []byte // data being read
	between []byte
	behind  []byte // the text after the objects; nil while piece is that text
	object  bool   // whether piece is an object
}

// Read implements [io.Reader]. It fills p unless the end comes first.
func (j *joined) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(j.piece) == 0 && !j.advance() {
			break
		}
		moved := copy(p[n:], j.piece)
		j.piece = j.piece[moved:]
		n += moved
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// advance goes to the next piece, and reports whether there is one.
func (j *joined) advance() bool {
	switch {
	case j.object && j.left > 0:
		j.piece, j.object = j.between, false
	case j.object:
		j.piece, j.behind, j.object = j.behind, nil, false
	case j.behind == nil:
		return false
	default:
		j.piece, j.object = j.objects.Object(j.next), true
		j.next++
		j.left--
	}
	return true
}
