// Package gotest reads what "go test -json" and "go build -json" print.
package gotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// The results of a test, in the words of go test.
const (
	Pass = "pass"
	Fail = "fail"
	Skip = "skip"
)

// Event is a line of the output.
type Event struct {
	Action, ImportPath, Package, Test, Output, FailedBuild string
}

// IsMessage reports whether the output of a build is not the line with the name of a package.
func (e Event) IsMessage() bool { return !strings.HasPrefix(e.Output, "# ") }

// Events returns the events of an output. An error is the last.
func Events(output io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		decoder := json.NewDecoder(output)
		for {
			var e Event
			switch err := decoder.Decode(&e); {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				rest, _ := io.ReadAll(io.LimitReader(decoder.Buffered(), 1000)) // explains the error, if there is any
				yield(Event{}, fmt.Errorf("read output of the go command: %w\n%s", err, rest))
				return
			case !yield(e, nil):
				return
			}
		}
	}
}
