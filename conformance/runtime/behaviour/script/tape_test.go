package script_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

func init() {
	// The second one limits how often there is an error, by the times of all bubbles.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
}

// tape records what a program can observe, as lines.
type tape struct {
	mu       sync.Mutex
	lines    []string
	replaced []string
}

// run is a case: f records on a tape, which is written to a file of the directory BEHAVIOUR, if there is one. A panic
// of f is recorded.
func run(t *testing.T, name string, f func(t *testing.T, p *tape)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		p := &tape{}
		t.Cleanup(func() { p.write(t) })
		defer func() {
			if r := recover(); r != nil {
				p.printf("panic: %v", r)
			}
		}()
		f(t, p)
	})
}

// printf records a line or several.
func (p *tape) printf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

// json records a value.
func (p *tape) json(name string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		b = []byte(err.Error())
	}
	p.printf("%s: %s", name, b)
}

// hide replaces a text that differs in each run.
func (p *tape) hide(text, by string) { p.replaced = append(p.replaced, text, by) }

var predicates = []struct {
	name string
	is   func(error) bool
}{
	{"AlreadyExists", apierrors.IsAlreadyExists},
	{"BadRequest", apierrors.IsBadRequest},
	{"Conflict", apierrors.IsConflict},
	{"Forbidden", apierrors.IsForbidden},
	{"Gone", apierrors.IsGone},
	{"InternalError", apierrors.IsInternalError},
	{"Invalid", apierrors.IsInvalid},
	{"MethodNotSupported", apierrors.IsMethodNotSupported},
	{"NotAcceptable", apierrors.IsNotAcceptable},
	{"NotFound", apierrors.IsNotFound},
	{"RequestEntityTooLarge", apierrors.IsRequestEntityTooLargeError},
	{"ResourceExpired", apierrors.IsResourceExpired},
	{"ServerTimeout", apierrors.IsServerTimeout},
	{"ServiceUnavailable", apierrors.IsServiceUnavailable},
	{"StoreReadError", apierrors.IsStoreReadError},
	{"Timeout", apierrors.IsTimeout},
	{"TooManyRequests", apierrors.IsTooManyRequests},
	{"Unauthorized", apierrors.IsUnauthorized},
	{"UnexpectedObject", apierrors.IsUnexpectedObjectError},
	{"UnexpectedServerError", apierrors.IsUnexpectedServerError},
	{"UnsupportedMediaType", apierrors.IsUnsupportedMediaType},
	{"NoMatch", meta.IsNoMatchError},
	{"Canceled", func(err error) bool { return errors.Is(err, context.Canceled) }},
	{"DeadlineExceeded", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
	{"EOF", func(err error) bool { return errors.Is(err, io.EOF) }},
	{"UnexpectedEOF", func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }},
	{"ErrNotExist", os.IsNotExist},
	{"Refused", func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }},
	{"*StatusError itself", func(err error) bool { _, ok := err.(*apierrors.StatusError); return ok }}, //nolint:errorlint // the error itself
	{"APIStatus itself", func(err error) bool { _, ok := err.(apierrors.APIStatus); return ok }},
	{"net.Error itself", func(err error) bool { _, ok := err.(net.Error); return ok }},   //nolint:errorlint // the error itself
	{"*url.Error itself", func(err error) bool { _, ok := err.(*url.Error); return ok }}, //nolint:errorlint // the error itself
	{"*url.Error", func(err error) bool { return errors.As(err, new(*url.Error)) }},
	{"timeout", func(err error) bool {
		var n net.Error
		return errors.As(err, &n) && n.Timeout()
	}},
}

// err records an error: its text, what a program can ask of it, and the Status that it has.
func (p *tape) err(name string, err error) {
	if err == nil {
		p.printf("%s: no error", name)
		return
	}
	p.printf("%s: error %s", name, err)
	var is []string
	for _, predicate := range predicates {
		if predicate.is(err) {
			is = append(is, predicate.name)
		}
	}
	p.printf("  is %s", strings.Join(is, ", "))
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		p.json("  status", status.Status())
	}
	var ambiguous *meta.AmbiguousResourceError
	if errors.As(err, &ambiguous) {
		p.json("  ambiguous", ambiguous)
	}
}

// names are those of loggers and reflectors, which are places in client-go's source, and types, which lines may have twice.
var names = regexp.MustCompile(` (?:logger|reflector|type)=(?:"[^"]*"|\S+)`)

// klog records the errors that the following calls log, when the returned function is called.
func (p *tape) klog() (end func()) {
	var buffer lockedBuffer
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(&buffer, &slog.HandlerOptions{
		Level: slog.LevelError,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})))
	return func() {
		klog.ClearLogger()
		for line := range strings.Lines(buffer.String()) {
			p.printf("log %s", names.ReplaceAllString(strings.TrimSuffix(line, "\n"), ""))
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func (p *tape) write(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	text := strings.NewReplacer(p.replaced...).Replace(strings.Join(p.lines, "\n") + "\n")
	dir := os.Getenv("BEHAVIOUR")
	if dir == "" {
		t.Log("\n" + text)
		return
	}
	file := filepath.Join(dir, filepath.FromSlash(t.Name())+".txt")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
