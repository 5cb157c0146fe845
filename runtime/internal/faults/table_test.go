package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/http2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

const tableFile = "testdata/calls.txt"

// patience is the maximum duration of a call, by the bubble's clock.
const patience = 24 * time.Hour

// TestFaults combines each fault with each call.
func TestFaults(t *testing.T) {
	// net/http logs data on idle connections here.
	log.SetOutput(io.Discard)
	defer log.SetOutput(os.Stderr)
	var table strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&table, "## %s\n", f.name)
		for _, c := range calls {
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					meet(t, &table, f, c)
				})
			})
		}
		table.WriteString("\n")
	}
	compare(t, tableFile, table.String())
}

// meet makes a call to a server with a fault and writes a line of the table.
func meet(t *testing.T, table io.Writer, f fault, c call) {
	s := serve(t, f.answer.handler)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	o := c.do(ctx, clients(t, s.config()))
	took := time.Since(s.begin)

	fmt.Fprintf(table, "%-13s  %s\n", c.name, line(s, o, took))
	follow(t, f, c, s, o)
}

// line describes the result of a call.
func line(s *server, o outcome, took time.Duration) string {
	var b strings.Builder
	n := len(s.seen())
	fmt.Fprintf(&b, "%d sent", n)
	if conns := int(s.conns.Load()); conns != 1 {
		fmt.Fprintf(&b, " over %d connections", conns)
	}
	// Waits have a random jitter of at most a fifth.
	for _, about := range []time.Duration{24 * time.Hour, 10 * time.Minute, time.Minute, 30 * time.Second, 10 * time.Second, 5 * time.Second, time.Second} {
		if took >= about {
			fmt.Fprintf(&b, " in %v or more", about)
			break
		}
	}
	if len(o.got) > 0 {
		fmt.Fprintf(&b, ", got %s", strings.Join(o.got, " and "))
	}
	if o.err != nil {
		fmt.Fprintf(&b, "\n    %s\n    %s", strings.Join(kinds(o.err), ", "), steady.Replace(schemeName.ReplaceAllString(o.err.Error(), "a scheme")))
	}
	return b.String()
}

// steady replaces texts that differ between builds: those of the JSON library.
var steady = strings.NewReplacer("json: unable to", "json: cannot", "\n", "\n    ")

// schemeName is the name of a scheme, which differs between versions of apimachinery.
var schemeName = regexp.MustCompile(`pkg/runtime/scheme\.go:\d+`)

// kinds returns the types and sentinels that errors.Is and errors.As find in an error.
func kinds(err error) []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if s := apierrors.APIStatus(nil); errors.As(err, &s) {
		status := s.Status()
		add("Status %d %s", status.Code, status.Reason)
		if d := status.Details; d != nil && d.RetryAfterSeconds != 0 {
			add("retry after %ds", d.RetryAfterSeconds)
		}
	}
	if e := (*codec.Error)(nil); errors.As(err, &e) {
		add("*codec.Error{%s %s/%s %d %s}", e.GVK.Kind, e.Namespace, e.Name, e.Index, e.Pointer)
	}
	if e := (*rest.BodyError)(nil); errors.As(err, &e) {
		add("*rest.BodyError")
	}
	if e := (*rest.ContentTypeError)(nil); errors.As(err, &e) {
		add("*rest.ContentTypeError")
	}
	if e := (http2.StreamError{}); errors.As(err, &e) {
		add("http2.StreamError{%v}", e.Code)
	}
	if e := (*url.Error)(nil); errors.As(err, &e) {
		add("*url.Error")
	}
	for _, sentinel := range []struct {
		name string
		err  error
	}{
		{"rest.ErrBodyTooLarge", rest.ErrBodyTooLarge},
		{"io.ErrUnexpectedEOF", io.ErrUnexpectedEOF},
		{"io.EOF", io.EOF},
		{"context.Canceled", context.Canceled},
		{"context.DeadlineExceeded", context.DeadlineExceeded},
		{"syscall.ECONNREFUSED", syscall.ECONNREFUSED},
		{"syscall.ECONNRESET", syscall.ECONNRESET},
		{"http.ErrSchemeMismatch", http.ErrSchemeMismatch},
	} {
		if errors.Is(err, sentinel.err) {
			add("%s", sentinel.name)
		}
	}
	if len(all) == 0 {
		add("%T", err)
	}
	return all
}

// compare compares a text with a file, or updates the file.
func compare(t *testing.T, file, text string) {
	t.Helper()
	if t.Failed() {
		return
	}
	if golden.Update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got); LISTWATCH_UPDATE=1 writes it:\n%s", file, diff)
	}
}
