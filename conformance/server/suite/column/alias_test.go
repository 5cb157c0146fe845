package column

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAlias(t *testing.T) {
	a := alias{theirs: "case.example.com", ours: "custom.test"}
	const theirs = "{\"apiVersion\":\"case.example.com/v1\"}\nwidgets.case.example.com\nno end"
	const ours = "{\"apiVersion\":\"custom.test/v1\"}\nwidgets.custom.test\nno end"
	if got := a.in(theirs); got != ours {
		t.Error(got)
	}
	if got := a.out(ours); got != theirs {
		t.Error(got)
	}
	if got := (alias{}).in(theirs); got != theirs {
		t.Error(got)
	}
	for name, slow := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader,
	} {
		body, err := io.ReadAll(iotest.OneByteReader(a.reader(io.NopCloser(slow(strings.NewReader(theirs))))))
		if err != nil || string(body) != ours {
			t.Errorf("%s: %q, %v", name, body, err)
		}
	}
}

// TestAliasLine reads a line as soon as it has arrived.
func TestAliasLine(t *testing.T) {
	from, to := io.Pipe()
	body := alias{theirs: "aa", ours: "b"}.reader(from)
	t.Cleanup(func() { _ = body.Close() })
	go func() { _, _ = to.Write([]byte("aa\n")) }()
	line := make([]byte, 10)
	if n, err := body.Read(line); string(line[:n]) != "b\n" || err != nil {
		t.Errorf("%q, %v", line[:n], err)
	}
}
