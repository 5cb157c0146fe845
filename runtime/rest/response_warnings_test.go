package rest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/rest"
)

// warnings records the warnings of a handler.
type warnings struct {
	mu  sync.Mutex // guards got
	got []string
}

func (w *warnings) HandleWarningHeader(code int, agent, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got = append(w.got, fmt.Sprint(code, " ", agent, " ", text))
}

func (w *warnings) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.got, "; ")
}

// contextWarnings also records a value of the context.
type contextWarnings struct{ warnings }

type contextKey struct{}

func (w *contextWarnings) HandleWarningHeaderWithContext(ctx context.Context, code int, agent, text string) {
	w.HandleWarningHeader(code, agent, text+fmt.Sprint(ctx.Value(contextKey{})))
}

func warn(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Warning", fmt.Sprintf("299 - %q", text))
		answerJSON(gadgetJSON)(w, r)
	}
}

func TestWhoIsWarned(t *testing.T) {
	var standard, ofClient, ofRequest warnings
	rest.SetDefaultWarningHandler(&standard)
	defer rest.SetDefaultWarningHandler(rest.WarningLogger{})
	s := serve(t, warn("1"), warn("2"), warn("3"), warn("4"), warn("5"), warn("6"))
	plain, own := s.client(t), s.client(t, func(c *rest.Config) { c.WarningHandler = &ofClient })
	withContext := &contextWarnings{}
	ctx := context.WithValue(t.Context(), contextKey{}, "!")
	for _, r := range []*rest.Request{
		plain.Get(),
		own.Get(),
		own.Get().WarningHandler(&ofRequest),
		own.Get().WarningHandler(nil),
		own.Get().WarningHandlerWithContext(withContext),
		s.client(t, func(c *rest.Config) { c.WarningHandler, c.WarningHandlerWithContext = &ofClient, withContext }).Get(),
	} {
		if err := r.DoInto(ctx, &Gadget{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		got  fmt.Stringer
		want string
	}{
		"default":      {&standard, "299 - 1; 299 - 4"},
		"client":       {&ofClient, "299 - 2"},
		"request":      {&ofRequest, "299 - 3"},
		"with context": {withContext, "299 - 5!; 299 - 6!"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestNoDefaultWarningHandler(t *testing.T) {
	rest.SetDefaultWarningHandler(nil)
	defer rest.SetDefaultWarningHandlerWithContext(rest.WarningLogger{})
	result := serve(t, warn("dropped")).client(t).Get().Do(t.Context())
	if result.Error() != nil || len(result.Warnings()) != 1 {
		t.Errorf("%v, %v", result.Error(), result.Warnings())
	}
}

func TestWhichWaysWarn(t *testing.T) {
	for way, send := range ways {
		var got warnings
		if err := send(t.Context(), serve(t, warn("careful")).client(t).Get().WarningHandler(&got)); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		// DoRaw does not handle warnings.
		if want := "299 - careful"; way == "DoRaw" && got.String() != "" || way != "DoRaw" && got.String() != want {
			t.Errorf("%s: %q", way, got.String())
		}
	}
}

func TestWarningWriter(t *testing.T) {
	for _, test := range []struct {
		name    string
		options rest.WarningWriterOptions
		want    string
	}{
		{"plain", rest.WarningWriterOptions{}, "Warning: a\nWarning: b\nWarning: a\n"},
		{"once", rest.WarningWriterOptions{Deduplicate: true}, "Warning: a\nWarning: b\n"},
		{"colour", rest.WarningWriterOptions{Color: true, Deduplicate: true}, "\x1b[33;1mWarning:\x1b[0m a\n\x1b[33;1mWarning:\x1b[0m b\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			w := rest.NewWarningWriter(&out, test.options)
			for _, warning := range []struct {
				code int
				text string
			}{{299, "a"}, {299, ""}, {199, "other"}, {299, "b"}, {299, "a"}} {
				w.HandleWarningHeader(warning.code, "-", warning.text)
			}
			if out.String() != test.want {
				t.Errorf("wrote %q, want %q", out.String(), test.want)
			}
			if lines := strings.Count(test.want, "\n"); w.WarningCount() != lines {
				t.Errorf("count is %d, want %d", w.WarningCount(), lines)
			}
		})
	}
}

func TestWarningLogger(t *testing.T) {
	var log logged
	ctx := log.context(t.Context(), 0)
	for _, code := range []int{299, 199} {
		rest.WarningLogger{}.HandleWarningHeaderWithContext(ctx, code, "-", fmt.Sprint("code ", code))
	}
	rest.WarningLogger{}.HandleWarningHeaderWithContext(ctx, 299, "-", "")
	rest.WarningLogger{}.HandleWarningHeader(299, "-", "")
	rest.NoWarnings{}.HandleWarningHeader(299, "-", "dropped")
	if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "Warning: code 299") {
		t.Errorf("logged %q", got)
	}
}
