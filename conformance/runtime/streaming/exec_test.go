package streaming_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	theirrest "k8s.io/client-go/rest"
	theirs "k8s.io/client-go/tools/remotecommand"

	ourrest "github.com/listwatch/listwatch/runtime/rest"
	ours "github.com/listwatch/listwatch/streaming/remotecommand"
)

// local is the client's end of a command.
type local struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// target returns the URL that asks for the streams of l.
func (l local) target(host string) *url.URL {
	q := url.Values{"command": {"run"}}
	for name, wanted := range map[string]bool{"stdin": l.stdin != nil, "stdout": l.stdout != nil, "stderr": l.stderr != nil} {
		if wanted {
			q.Set(name, "true")
		}
	}
	return &url.URL{Scheme: "http", Host: host, Path: "/exec", RawQuery: q.Encode()}
}

// run runs a command. The panics of client-go are errors.
type run func(ctx context.Context, host string, l local) error

// kinds are the ways to run a command, by client-go and by us.
var kinds = map[string]struct{ theirs, ours run }{
	"SPDY": {
		func(ctx context.Context, host string, l local) error {
			executor, err := theirs.NewSPDYExecutor(&theirrest.Config{Host: host}, http.MethodPost, l.target(host))
			return streamTheirs(ctx, executor, err, l)
		},
		func(ctx context.Context, host string, l local) error {
			executor, err := ours.NewSPDYExecutor(&ourrest.Config{Host: host}, http.MethodPost, l.target(host))
			return streamOurs(ctx, executor, err, l)
		},
	},
	"WebSocket": {
		func(ctx context.Context, host string, l local) error {
			executor, err := theirs.NewWebSocketExecutor(&theirrest.Config{Host: host}, http.MethodGet, l.target(host).String())
			return streamTheirs(ctx, executor, err, l)
		},
		func(ctx context.Context, host string, l local) error {
			executor, err := ours.NewWebSocketExecutor(&ourrest.Config{Host: host}, http.MethodGet, l.target(host).String())
			return streamOurs(ctx, executor, err, l)
		},
	},
}

func streamTheirs(ctx context.Context, executor theirs.Executor, err error, l local) (result error) {
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			result = fmt.Errorf("panic: %v", p)
		}
	}()
	return executor.StreamWithContext(ctx, theirs.StreamOptions{Stdin: l.stdin, Stdout: l.stdout, Stderr: l.stderr})
}

func streamOurs(ctx context.Context, executor ours.Executor, err error, l local) error {
	if err != nil {
		return err
	}
	return executor.StreamWithContext(ctx, ours.StreamOptions{Stdin: l.stdin, Stdout: l.stdout, Stderr: l.stderr})
}

var addresses = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// textOf returns the text of an error, without addresses, and with a query as ours has it.
func textOf(err error) string {
	return strings.ReplaceAll(addresses.ReplaceAllString(fmt.Sprint(err), "ADDRESS"), "command=run", "command=REDACTED")
}

// outcome is the result of a command.
type outcome struct{ err, stdout, stderr string }

// patience bounds a call; none takes long.
const patience = 20 * time.Second

func (r run) outcome(t *testing.T, host string, l local) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if l.stdout == nil {
		l.stdout = &stdout
	}
	if l.stderr == nil {
		l.stderr = &stderr
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := r(ctx, host, l)
	return outcome{textOf(err), stdout.String(), stderr.String()}
}

// failing fails at once.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("no input") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("no output") }

// TestCommands runs commands on a server that works.
func TestCommands(t *testing.T) {
	echo := func(p process) error { _, err := io.Copy(p.stdout, p.stdin); return err }
	for name, c := range map[string]struct {
		command func(process) error
		local   func() local
	}{
		"nothing": {func(process) error { return nil }, func() local { return local{} }},
		"output":  {func(p process) error { _, err := io.WriteString(p.stdout, "out"); return err }, func() local { return local{} }},
		"both outputs": {func(p process) error {
			_, _ = io.WriteString(p.stdout, "out")
			_, err := io.WriteString(p.stderr, "err")
			return err
		}, func() local { return local{} }},
		"much output":          {func(p process) error { _, err := p.stdout.Write(bytes.Repeat([]byte("x"), 1<<20)); return err }, func() local { return local{} }},
		"exit code 1":          {func(process) error { return exit(1) }, func() local { return local{} }},
		"exit code 255":        {func(process) error { return exit(255) }, func() local { return local{} }},
		"exit code 256":        {func(process) error { return exit(256) }, func() local { return local{} }},
		"exit code -1":         {func(process) error { return exit(-1) }, func() local { return local{} }},
		"failure":              {func(process) error { return errors.New("container not found") }, func() local { return local{} }},
		"failure without text": {func(process) error { return errors.New("") }, func() local { return local{} }},
		"input":                {echo, func() local { return local{stdin: strings.NewReader("in")} }},
		"no input":             {echo, func() local { return local{stdin: strings.NewReader("")} }},
		"much input":           {echo, func() local { return local{stdin: strings.NewReader(strings.Repeat("y", 1<<20))} }},
		"input that fails":     {echo, func() local { return local{stdin: failing{}} }},
		"input that is not read": {func(process) error { return nil }, func() local {
			return local{stdin: strings.NewReader(strings.Repeat("y", 1<<10))}
		}},
		"output that is not accepted": {func(p process) error {
			_, err := p.stdout.Write(bytes.Repeat([]byte("x"), 1<<20))
			return errors.Join(err, exit(3))
		}, func() local { return local{stdout: failing{}} }},
	} {
		for kind, k := range kinds {
			t.Run(kind+" "+name, func(t *testing.T) {
				server := serve(t, c.command)
				host := server.Listener.Addr().String()
				want, got := k.theirs.outcome(t, host, c.local()), k.ours.outcome(t, host, c.local())
				if got != want {
					t.Errorf("got %.300q, want %.300q", got, want)
				}
				for _, how := range []how{none, trickle} {
					if how == trickle && strings.HasPrefix(name, "much") || how == trickle && strings.HasSuffix(name, "accepted") {
						continue
					}
					host := behind(t, server.Listener.Addr(), fault{-1, -1, how})
					if got := k.ours.outcome(t, host, c.local()); got != want {
						t.Errorf("the proxy %s: got %.300q, want %.300q", how, got, want)
					}
				}
			})
		}
	}
}

// TestRefusals sends requests to servers that do not do as they are asked.
func TestRefusals(t *testing.T) {
	text := func(status int, header map[string]string, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range header {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	const forbidden = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"web\" is forbidden","reason":"Forbidden","code":403}`
	raw := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, answer)
			_ = conn.Close()
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		// differs is why ours differs, by kind.
		differs map[string]string
	}{
		"Status":             {text(403, nil, forbidden), nil},
		"Status of success":  {text(200, nil, `{"kind":"Status","apiVersion":"v1","status":"Success"}`), map[string]string{"WebSocket": "quotes the response"}},
		"text":               {text(500, nil, "no way"), nil},
		"nothing":            {text(404, nil, ""), map[string]string{"SPDY": "names the status of an empty response"}},
		"OK":                 {text(200, nil, "<html>"), nil},
		"401":                {text(401, map[string]string{"WWW-Authenticate": "Basic"}, "who?"), nil},
		"protocol not known": {text(403, map[string]string{"X-Accepted-Stream-Protocol-Versions": "v9"}, "unable to upgrade: unable to negotiate protocol"), map[string]string{"WebSocket": "quotes the response"}},
		"redirect in circles": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}, nil},
		"redirect without location": {text(307, nil, ""), map[string]string{"SPDY": "names the status of an empty response"}},
		"not HTTP":                  {raw("220 ready\r\n"), nil},
		"cut in the head":           {raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: SPDY/3.1\r\n"), nil},
		"no answer":                 {raw(""), nil},
		"101 alone":                 {raw("HTTP/1.1 101 Switching Protocols\r\n\r\n"), map[string]string{"SPDY": "names the status of an empty response"}},
		"another upgrade":           {raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"), map[string]string{"SPDY": "names the status of an empty response"}},
		"upgrade, then the end":     {raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v5.channel.k8s.io\r\n\r\n"), map[string]string{"SPDY": "names the stream"}},
		"upgrade to another protocol": {
			raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v9.channel.k8s.io\r\n\r\n"),
			map[string]string{"SPDY": "is an error, not a panic"},
		},
	} {
		for kind, k := range kinds {
			t.Run(kind+" "+name, func(t *testing.T) {
				server := httptest.NewServer(c.handler)
				t.Cleanup(server.Close)
				host := server.Listener.Addr().String()
				want, got := k.theirs.outcome(t, host, local{}), k.ours.outcome(t, host, local{})
				why := c.differs[kind]
				if (got != want) != (why != "") || got.err == "<nil>" {
					t.Errorf("differs: %q\n got %.300q,\nwant %.300q", why, got, want)
				}
			})
		}
	}
}

// TestBrokenMessages sends messages over WebSockets that are not what a client expects.
func TestBrokenMessages(t *testing.T) {
	status := func(text string) [][]byte { return [][]byte{append([]byte{3}, text...)} }
	for name, c := range map[string]struct {
		messages [][]byte
		text     bool
		code     int // of the closing message; 0 sends none
		differs  string
	}{
		"closed":                      {nil, false, websocket.CloseNormalClosure, ""},
		"going away":                  {nil, false, websocket.CloseGoingAway, ""},
		"too big":                     {nil, false, websocket.CloseMessageTooBig, ""},
		"cut":                         {nil, false, 0, ""},
		"cut after the result":        {status(`{"status":"Success"}`), false, 0, "has the result"},
		"going away after the result": {status(`{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}`), false, websocket.CloseGoingAway, "has the result"},
		"half a result, closed":       {status(`{"status":"Suc`), false, websocket.CloseNormalClosure, ""},
		"half a result, cut":          {status(`{"status":"Suc`), false, 0, ""},
		"two parts":                   {append(status(`{"status":`), status(`"Success"}`)...), false, websocket.CloseNormalClosure, ""},
		"two results":                 {append(status(`{"status":"Success"}`), status(`{"status":"Success"}`)...), false, websocket.CloseNormalClosure, ""},
		"no status":                   {status(`{}`), false, websocket.CloseNormalClosure, ""},
		"null":                        {status(`null`), false, websocket.CloseNormalClosure, ""},
		"other type":                  {status(`{"status":7}`), false, websocket.CloseNormalClosure, ""},
		"code without a cause":        {status(`{"status":"Failure","reason":"NonZeroExitCode","details":{}}`), false, websocket.CloseNormalClosure, ""},
		"code without details":        {status(`{"status":"Failure","reason":"NonZeroExitCode"}`), false, websocket.CloseNormalClosure, ""},
		"text":                        {status(`{"status":"Success"}`), true, websocket.CloseNormalClosure, ""},
		"empty message":               {[][]byte{{}}, false, websocket.CloseNormalClosure, ""},
		"unknown channel":             {[][]byte{{9, 'x'}}, false, websocket.CloseNormalClosure, ""},
		"channel of the client":       {[][]byte{{0, 'x'}, {4, 'x'}, {255, 1}}, false, websocket.CloseNormalClosure, ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				upgrader := websocket.Upgrader{Subprotocols: []string{"v5.channel.k8s.io"}}
				conn, err := upgrader.Upgrade(w, r, nil)
				if err != nil {
					return
				}
				defer func() { _ = conn.Close() }()
				kind := websocket.BinaryMessage
				if c.text {
					kind = websocket.TextMessage
				}
				_ = conn.WriteMessage(websocket.BinaryMessage, []byte("\x01out"))
				for _, message := range c.messages {
					_ = conn.WriteMessage(kind, message)
				}
				if c.code != 0 {
					_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, ""), time.Now().Add(time.Second))
				}
			}))
			t.Cleanup(server.Close)
			host := server.Listener.Addr().String()
			k := kinds["WebSocket"]
			want, got := k.theirs.outcome(t, host, local{}), k.ours.outcome(t, host, local{})
			if (got != want) != (c.differs != "") || got.stdout != "out" {
				t.Errorf("differs: %q\n got %q,\nwant %q", c.differs, got, want)
			}
		})
	}
}

// TestCuts cuts, resets and stalls connections after each number of bytes of a command's. With ours, no call succeeds
// without the whole output, none hangs, and all end as client-go's do, or say more.
func TestCuts(t *testing.T) {
	const out, end = "the output of a command", "command terminated with exit code 3"
	command := func(p process) error {
		if _, err := io.Copy(io.Discard, p.stdin); err != nil {
			return err
		}
		if _, err := io.WriteString(p.stdout, out); err != nil {
			return err
		}
		return exit(3)
	}
	class := func(o outcome) string {
		switch {
		case o.err == end && o.stdout == out:
			return "whole"
		case o.err == "<nil>" || o.err == end:
			return "WRONG: " + o.err
		case strings.Contains(o.err, "context deadline exceeded"):
			return "hangs"
		}
		return "error"
	}
	for kind, k := range kinds {
		for _, how := range []how{closes, resets} {
			for _, direction := range []string{"down", "up"} {
				t.Run(fmt.Sprintf("%s %s %s", kind, how, direction), func(t *testing.T) {
					server := serve(t, command)
					counts := map[string]int{}
					for n := int64(0); n < 700; n += 1 + n/20 {
						f := fault{n, -1, how}
						if direction == "up" {
							f = fault{-1, n, how}
						}
						host := behind(t, server.Listener.Addr(), f)
						our := k.ours.outcome(t, host, local{stdin: strings.NewReader("input")})
						counts["ours: "+class(our)]++
						if got := class(our); got != "whole" && got != "error" {
							t.Errorf("after %d bytes: %s, output %q", n, got, our.stdout)
						}
						if n%8 == 0 {
							ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
							var stdout bytes.Buffer
							err := k.theirs(ctx, host, local{stdin: strings.NewReader("input"), stdout: &stdout, stderr: io.Discard})
							cancel()
							counts["client-go's: "+class(outcome{textOf(err), "", ""})]++
						}
					}
					t.Log(counts)
				})
			}
		}
	}
}

// TestCancelled ends contexts after each number of bytes, while the rest is held back.
func TestCancelled(t *testing.T) {
	for kind, k := range kinds {
		for _, direction := range []string{"down", "up"} {
			t.Run(kind+" "+direction, func(t *testing.T) {
				server := serve(t, func(p process) error {
					_, _ = io.Copy(p.stdout, p.stdin)
					return nil
				})
				for n := int64(0); n < 600; n += 1 + n/10 {
					f := fault{n, -1, stalls}
					if direction == "up" {
						f = fault{-1, n, stalls}
					}
					host := behind(t, server.Listener.Addr(), f)
					ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
					start := time.Now()
					err := k.ours(ctx, host, local{stdin: strings.NewReader(strings.Repeat("x", 300)), stdout: io.Discard})
					took := time.Since(start)
					cancel()
					if err != nil && !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
						t.Errorf("after %d bytes: %v after %v", n, err, took)
					}
				}
			})
		}
	}
}
