package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// engine makes servers, in a program or in this process. It is safe for concurrent use.
type engine struct {
	transport http.RoundTripper
	program   *program // nil in this process
}

// shared returns the engine of this process, which is started once.
var shared = sync.OnceValues(func() (*engine, error) {
	if control.InProcess != nil {
		return &engine{transport: control.InProcess}, nil
	}
	path, err := find(context.Background())
	if err != nil {
		return nil, err
	}
	return launch(path)
})

// post sends a document and decodes the response.
func (e *engine) post(ctx context.Context, path string, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://apitest.invalid"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	resp, err := e.transport.RoundTrip(req)
	if err == nil {
		err = decode(resp, out)
		_ = resp.Body.Close() // it was read
	}
	// Other than failures of the server, errors end the connection.
	if failed := (*failure)(nil); err == nil || errors.As(err, &failed) || errors.Is(err, ErrStopped) {
		return err
	}
	if ctx.Err() != nil || e.program == nil {
		return err
	}
	return e.program.broken(err)
}

func decode(resp *http.Response, out any) error {
	if resp.StatusCode == http.StatusOK {
		return json.NewDecoder(resp.Body).Decode(out)
	}
	var failed control.Failure
	if err := json.NewDecoder(resp.Body).Decode(&failed); err != nil {
		return fmt.Errorf("%s: %w", resp.Status, err)
	}
	if failed.Stopped {
		return ErrStopped
	}
	return &failure{failed}
}

// failure is an error of a server. An API error in it can be found with errors.As.
type failure struct{ sent control.Failure }

// Error implements error.
func (f *failure) Error() string { return f.sent.Message }

// Unwrap returns the API error, if any.
func (f *failure) Unwrap() error {
	if f.sent.Status == nil {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: *f.sent.Status}
}
