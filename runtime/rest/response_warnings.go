package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"
)

// codeWarning is the code of Kubernetes' warnings.
const codeWarning = 299

// WarningHandler handles warnings in responses. It must be safe for concurrent use.
type WarningHandler interface {
	// HandleWarningHeader is called with code, agent and text of one warning.
	HandleWarningHeader(code int, agent string, text string)
}

// WarningHandlerWithContext is [WarningHandler] with the context of the request.
type WarningHandlerWithContext interface {
	// HandleWarningHeaderWithContext is called with code, agent and text of one warning.
	HandleWarningHeaderWithContext(ctx context.Context, code int, agent string, text string)
}

var (
	_ WarningHandler            = NoWarnings{}
	_ WarningHandlerWithContext = NoWarnings{}
	_ WarningHandler            = WarningLogger{}
	_ WarningHandlerWithContext = WarningLogger{}
	_ WarningHandler            = (*warningWriter)(nil)
)

var (
	defaultWarningHandlerLock sync.RWMutex              // guards defaultWarningHandler
	defaultWarningHandler     WarningHandlerWithContext = WarningLogger{}
)

// SetDefaultWarningHandler sets the handler of requests and clients without their own handler. The default is
// [WarningLogger]; this package also has [NoWarnings] and [NewWarningWriter].
func SetDefaultWarningHandler(l WarningHandler) {
	if l == nil {
		SetDefaultWarningHandlerWithContext(nil)
		return
	}
	SetDefaultWarningHandlerWithContext(withoutContext{l})
}

// SetDefaultWarningHandlerWithContext is [SetDefaultWarningHandler] for a handler that takes a context. If it
// is nil, warnings are dropped.
func SetDefaultWarningHandlerWithContext(l WarningHandlerWithContext) {
	if l == nil {
		l = NoWarnings{}
	}
	defaultWarningHandlerLock.Lock()
	defer defaultWarningHandlerLock.Unlock()
	defaultWarningHandler = l
}

func getDefaultWarningHandler() WarningHandlerWithContext {
	defaultWarningHandlerLock.RLock()
	defer defaultWarningHandlerLock.RUnlock()
	return defaultWarningHandler
}

// withoutContext adapts a handler that takes no context.
type withoutContext struct {
	handler WarningHandler
}

func (w withoutContext) HandleWarningHeaderWithContext(_ context.Context, code int, agent string, text string) {
	w.handler.HandleWarningHeader(code, agent, text)
}

// NoWarnings drops warnings.
type NoWarnings struct{}

// HandleWarningHeader does nothing.
func (NoWarnings) HandleWarningHeader(int, string, string) {}

// HandleWarningHeaderWithContext does nothing.
func (NoWarnings) HandleWarningHeaderWithContext(context.Context, int, string, string) {}

// WarningLogger logs warnings of code 299.
type WarningLogger struct{}

// HandleWarningHeader logs a warning.
func (w WarningLogger) HandleWarningHeader(code int, agent string, text string) {
	w.HandleWarningHeaderWithContext(context.Background(), code, agent, text)
}

// HandleWarningHeaderWithContext logs a warning to the context's logger.
func (WarningLogger) HandleWarningHeaderWithContext(ctx context.Context, code int, _ string, text string) {
	if code == codeWarning && text != "" {
		klog.FromContext(ctx).Info("Warning: " + text)
	}
}

// WarningWriterOptions configures [NewWarningWriter].
type WarningWriterOptions struct {
	// Deduplicate writes each text once. All texts are kept in memory as long as the writer is.
	Deduplicate bool
	// Color highlights warnings with ANSI colour codes.
	Color bool
}

type warningWriter struct {
	options WarningWriterOptions

	mu    sync.Mutex // guards the fields below, and writing
	out   io.Writer
	seen  map[string]struct{} // the texts written, with Deduplicate
	count int                 // warnings written
}

// NewWarningWriter returns a handler that writes warnings of code 299, one a line. Its method WarningCount
// returns how many it wrote. Errors of the writer are ignored.
//
//nolint:revive // The result's type cannot be named, as in the API this one is compatible with.
func NewWarningWriter(out io.Writer, opts WarningWriterOptions) *warningWriter {
	return &warningWriter{options: opts, out: out, seen: map[string]struct{}{}}
}

// HandleWarningHeader writes a warning.
func (w *warningWriter) HandleWarningHeader(code int, _ string, text string) {
	if code != codeWarning || text == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.options.Deduplicate {
		if _, ok := w.seen[text]; ok {
			return
		}
		w.seen[text] = struct{}{}
	}
	w.count++
	label := "Warning:"
	if w.options.Color {
		label = "\x1b[33;1mWarning:\x1b[0m"
	}
	fmt.Fprintf(w.out, "%s %s\n", label, text)
}

// WarningCount returns how many warnings were written.
func (w *warningWriter) WarningCount() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count
}

// handleWarnings calls a handler, nil for the default, with the warnings in a header, and returns them.
// Malformed warnings are skipped.
func handleWarnings(ctx context.Context, header http.Header, handler WarningHandlerWithContext) []net.WarningHeader {
	values := header["Warning"]
	if len(values) == 0 {
		return nil
	}
	if handler == nil {
		handler = getDefaultWarningHandler()
	}
	warnings, _ := net.ParseWarningHeaders(values)
	for _, w := range warnings {
		handler.HandleWarningHeaderWithContext(ctx, w.Code, w.Agent, w.Text)
	}
	return warnings
}
