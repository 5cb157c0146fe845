package faults_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"log"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

// output is everything that a program writes, by any means.
type output struct {
	mu     sync.Mutex // guards buf
	buf    bytes.Buffer
	stderr *os.File
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// capture collects everything that is logged from now on, at a klog verbosity, and everything
// written to standard error, until the test ends.
func capture(t *testing.T, verbosity int) *output {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	o := &output{stderr: file}

	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	set := func(name, value string) {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	set("logtostderr", "false")
	set("alsologtostderr", "false")
	set("stderrthreshold", "FATAL")
	set("v", strconv.Itoa(verbosity))
	klog.SetOutput(o)

	stderr, logger, prefix, logFlags := os.Stderr, slog.Default(), log.Prefix(), log.Flags()
	os.Stderr = file
	slog.SetDefault(slog.New(slog.NewJSONHandler(o, &slog.HandlerOptions{Level: slog.LevelDebug - 100})))
	log.SetOutput(o)

	t.Cleanup(func() {
		klog.Flush()
		set("v", "0")
		set("logtostderr", "true")
		os.Stderr = stderr
		slog.SetDefault(logger)
		log.SetOutput(stderr)
		log.SetPrefix(prefix)
		log.SetFlags(logFlags)
		_ = file.Close()
	})
	return o
}

// context returns a context with a logger that also writes to o.
func (o *output) context(ctx context.Context, verbosity int) context.Context {
	return klog.NewContext(ctx, textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(o), textlogger.Verbosity(verbosity))))
}

// text returns everything that was written.
func (o *output) text(t *testing.T) string {
	t.Helper()
	klog.Flush()
	stderr, err := os.ReadFile(o.stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String() + string(stderr)
}

// hidden checks that a text contains none of the secrets in any form.
func hidden(t *testing.T, what, text string, secrets ...string) {
	t.Helper()
	for _, s := range secrets {
		for _, form := range forms(s) {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s shows a secret: %q", what, text[max(0, i-200):min(len(text), i+len(form)+100)])
				return
			}
		}
		if secrettest.Shows(text, s) {
			t.Errorf("%s shows a secret in numbers", what)
		}
	}
}

// forms are the ways in which a secret may be written.
func forms(s string) []string {
	all := []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Trim(strconv.Quote(s), `"`)}
	// The same bytes have three forms in base64, depending on their offset in the encoded data; the
	// ends depend on the neighbours.
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			encoded := encoding.EncodeToString([]byte(strings.Repeat("x", shift) + s))
			all = append(all, encoded[4:len(encoded)-4])
		}
	}
	return all
}
