package column

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// alias exchanges the names of two groups: a case's and the Go types'. Both are long enough to have
// no other meaning anywhere. The zero value changes nothing.
type alias struct{ theirs, ours string }

// in converts text of a case for the Go types.
func (a alias) in(text string) string { return replace(text, a.theirs, a.ours) }

// out converts text of the Go types for the case.
func (a alias) out(text string) string { return replace(text, a.ours, a.theirs) }

func replace(text, from, to string) string {
	if from == "" {
		return text
	}
	return strings.ReplaceAll(text, from, to)
}

// reader exchanges names in a response, line by line: events of a watch are lines.
type reader struct {
	alias
	body  io.ReadCloser
	lines *bufio.Reader
	line  bytes.Buffer
}

func (a alias) reader(body io.ReadCloser) io.ReadCloser {
	return &reader{alias: a, body: body, lines: bufio.NewReader(body)}
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.line.Len() == 0 {
		line, err := r.lines.ReadString('\n')
		if line == "" {
			return 0, err
		}
		r.line.WriteString(r.in(line))
	}
	return r.line.Read(p)
}

// Close implements io.Closer.
func (r *reader) Close() error { return r.body.Close() }
