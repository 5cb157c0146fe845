package apitest

import (
	"context"
	"errors"
	"io"
	"time"
)

// Find returns the path of the program.
func Find(ctx context.Context) (string, error) { return find(ctx) }

// Announce tells how long the program has been built, until ctx ends.
func Announce(ctx context.Context, out io.Writer, start time.Time) { announce(ctx, out, start) }

// StartAtOnce starts servers with a program of their own, all at once, and stops them.
func StartAtOnce(path string, servers int) error {
	e, err := launch(path)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for range servers {
		go func() {
			s, failure := e.start(&options{})
			if failure == nil {
				failure = s.Stop()
			}
			failed <- failure
		}()
	}
	for range servers {
		err = errors.Join(err, <-failed)
	}
	return err
}

// StartWith starts a server with a program of its own, and returns its process ID.
func StartWith(path string, opts ...Option) (s *Server, pid int, err error) {
	e, err := launch(path)
	if err != nil {
		return nil, 0, err
	}
	o := &options{}
	for _, opt := range opts {
		opt(o)
	}
	s, err = e.start(o)
	return s, e.program.command.Process.Pid, err
}
