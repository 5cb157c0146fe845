package kube

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// readyTimeout is much longer than working programs need on a busy machine.
	readyTimeout = 2 * time.Minute
	// readyPeriod is the interval at which a starting program is probed.
	readyPeriod = 20 * time.Millisecond
)

// await calls the probe until it succeeds. It fails if one of the processes has ended, the context
// is done, or readyTimeout has passed. The last process is the one that must become ready.
func await(ctx context.Context, probe func(context.Context) error, processes ...*process) error {
	awaited := processes[len(processes)-1]
	ctx, cancel := context.WithTimeoutCause(ctx, readyTimeout, fmt.Errorf("not ready after %s", readyTimeout))
	defer cancel()
	tick := time.NewTicker(readyPeriod)
	defer tick.Stop()
	for {
		err := probe(ctx)
		if err == nil {
			return nil
		}
		for _, p := range processes {
			if ended := p.alive(); ended != nil {
				return ended
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w (at last: %w)\n%s", awaited.name, context.Cause(ctx), err, awaited.last.String())
		case <-tick.C:
		}
	}
}

// expectOK sends a request whose response must be 200.
func expectOK(client *http.Client, req *http.Request) error {
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", req.URL, resp.Status, body)
	}
	return nil
}
