package execplugin

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/transport"
)

// planted is in all secret texts that a program sends or receives.
const planted = "s3cr3t"

// The environment variables with which the tests make this binary a program that prints
// credentials.
const (
	answerFile = "TEST_EXEC_ANSWER_FILE" // what to print; it waits for the file. If absent, run the tests
	exitCode   = "TEST_EXEC_EXIT_CODE"
	runsFile   = "TEST_EXEC_RUNS_FILE" // where to append its input for each run
)

func TestMain(m *testing.M) {
	if os.Getenv(answerFile) != "" {
		os.Exit(beProgram())
	}
	countMetrics()
	goleak.VerifyTestMain(m)
}

// beProgram is the main function of the program.
func beProgram() int {
	runs, err := os.OpenFile(os.Getenv(runsFile), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return 90
	}
	defer func() { _ = runs.Close() }()
	if _, err = fmt.Fprintf(runs, "%s|%s\n", strings.Join(os.Args[1:], " "), strings.TrimSpace(os.Getenv(execInfoEnv))); err != nil {
		return 91
	}
	answer, err := os.ReadFile(os.Getenv(answerFile))
	for errors.Is(err, os.ErrNotExist) {
		if _, gone := os.Stat(os.Getenv(runsFile)); gone != nil {
			return 93 // the test has ended
		}
		time.Sleep(time.Millisecond)
		answer, err = os.ReadFile(os.Getenv(answerFile))
	}
	if err != nil {
		return 92
	}
	_, _ = os.Stdout.Write(answer)
	code := 0
	_, _ = fmt.Sscan(os.Getenv(exitCode), &code)
	return code
}

// program is this binary as a program that prints credentials.
type program struct {
	t            *testing.T
	answer, runs string
	config       *api.ExecConfig
}

func newProgram(t *testing.T, answer string) *program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := &program{t: t, answer: filepath.Join(dir, "answer"), runs: filepath.Join(dir, "runs")}
	p.config = &api.ExecConfig{
		Command: self,
		Args:    []string{"an-argument"},
		Env: []api.ExecEnvVar{
			{Name: answerFile, Value: p.answer},
			{Name: runsFile, Value: p.runs},
			{Name: "GORACE", Value: "atexit_sleep_ms=0"}, // otherwise a program with the race detector would end late
		},
		APIVersion:      v1,
		InteractiveMode: api.NeverExecInteractiveMode,
	}
	p.says(answer)
	return p
}

// says makes the program print answer from now on. The file is there with its whole content or not at all, as a program may
// wait for it.
func (p *program) says(answer string) {
	p.t.Helper()
	next := p.answer + ".next"
	if err := errors.Join(os.WriteFile(next, []byte(answer), 0o600), os.Rename(next, p.answer)); err != nil {
		p.t.Fatal(err)
	}
}

// hangs makes the program wait from now on, until the test ends.
func (p *program) hangs(a *Authenticator) {
	p.t.Helper()
	if err := os.Remove(p.answer); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		p.says(token("late"))
		if _, err := a.credentials(context.Background(), nil); err != nil {
			p.t.Error(err)
		}
	})
}

// told returns the input that the program received in each run.
func (p *program) told() []string {
	p.t.Helper()
	data, err := os.ReadFile(p.runs)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.t.Fatal(err)
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
}

// authenticator returns a new Authenticator of the program, without a cache.
func (p *program) authenticator(cluster *Cluster) *Authenticator {
	p.t.Helper()
	a, err := newAuthenticator(p.config, cluster)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// answer returns an ExecCredential with a status.
func answerWith(version string, status map[string]any) string {
	data, err := json.Marshal(map[string]any{"kind": "ExecCredential", "apiVersion": version, "status": status})
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func token(value string) string {
	return answerWith(v1, map[string]any{"token": value})
}

// server responds with the Authorization header of the request, or with 401 if it is rejected.
type server struct {
	mu       sync.Mutex // guards rejected
	rejected map[string]bool
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	header := req.Header.Get("Authorization")
	status := http.StatusOK
	if s.rejected[header] {
		status = http.StatusUnauthorized
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(header)), Request: req}, nil
}

func (s *server) reject(header string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejected = map[string]bool{header: true}
}

// roundTripperFor returns the round tripper that a puts around next.
func roundTripperFor(t *testing.T, a *Authenticator, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	config := &transport.Config{}
	if err := a.UpdateTransportConfig(config); err != nil {
		t.Fatal(err)
	}
	return config.WrapTransport(next)
}

func send(t *testing.T, rt http.RoundTripper) (string, int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Header) > 0 {
		t.Error("the caller's request has changed")
	}
	return string(body), resp.StatusCode
}

func TestToken(t *testing.T) {
	p := newProgram(t, token("one"))
	s := &server{}
	rt := roundTripperFor(t, p.authenticator(nil), s)
	expect := func(what, want string, status, runs int) {
		t.Helper()
		if got, code := send(t, rt); got != want || code != status {
			t.Errorf("%s: sent %q (%d), want %q (%d)", what, got, code, want, status)
		}
		if got := len(p.told()); got != runs {
			t.Errorf("%s: the program has run %d times, want %d", what, got, runs)
		}
	}
	expect("first", "Bearer one", 200, 1)
	p.says(token("two"))
	expect("kept", "Bearer one", 200, 1)
	s.reject("Bearer one")
	expect("rejected", "Bearer one", 401, 2)
	expect("refreshed", "Bearer two", 200, 2)

	p.says(answerWith(v1, map[string]any{"token": "three", "expirationTimestamp": time.Now().Add(-time.Hour)}))
	s.reject("Bearer two")
	expect("rejected again", "Bearer two", 401, 3)
	p.says(answerWith(v1, map[string]any{"token": "four", "expirationTimestamp": time.Now().Add(time.Hour)}))
	expect("the new one had expired", "Bearer four", 200, 4)
	expect("not expired", "Bearer four", 200, 4)

	p.says("broken")
	s.reject("Bearer four")
	expect("rejected, and the program is broken", "Bearer four", 401, 5)
	s.reject("")
	expect("the last good one stays", "Bearer four", 200, 5)
}

func TestRunsOnceForAll(t *testing.T) {
	p := newProgram(t, token("one"))
	rt := roundTripperFor(t, p.authenticator(nil), &server{})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, _ := send(t, rt); got != "Bearer one" {
				t.Errorf("sent %q", got)
			}
		})
	}
	wg.Wait()
	if runs := len(p.told()); runs != 1 {
		t.Errorf("the program has run %d times", runs)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	a := newProgram(t, token("one")).authenticator(nil)
	a.running = &run{done: make(chan struct{})} // a run that never ends
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	cancel(why)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://server", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := roundTripperFor(t, a, &server{}).RoundTrip(req); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// TestHungProgram checks that a request, and the handshake of a connection, end with their context while the program
// hangs: before there are credentials, when they have expired, and when they are rejected.
func TestHungProgram(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "one")
	status := func(more map[string]any) string {
		maps.Copy(more, map[string]any{"clientCertificateData": string(cert), "clientKeyData": string(key)})
		return answerWith(v1, more)
	}
	expired := status(map[string]any{"expirationTimestamp": time.Now().Add(-time.Hour)})
	for name, test := range map[string]struct {
		answer   string // of the run before the one that hangs, if any
		rejected bool
		header   string // with one, only the handshake needs the program
	}{
		"first":              {"", false, ""},
		"first, handshake":   {"", false, "mine"},
		"expired":            {expired, false, ""},
		"expired, handshake": {expired, false, "mine"},
		"rejected":           {status(map[string]any{}), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, test.answer)
			s := startTLSServer(t, ca)
			a := p.authenticator(nil)
			config := &transport.Config{TLS: transport.TLSConfig{CAData: ca.PEM}}
			if err := a.UpdateTransportConfig(config); err != nil {
				t.Fatal(err)
			}
			runs := 1
			if test.answer != "" {
				runs++
				if _, err := a.credentials(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
			}
			if test.rejected {
				s.reject("one")
			}
			p.hangs(a)

			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("why")
			go func() {
				for len(p.told()) < runs {
					time.Sleep(time.Millisecond)
				}
				cancel(why)
			}()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", test.header)
			rt, err := transport.New(config)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := rt.RoundTrip(req)
			switch {
			case test.rejected && err == nil:
				_ = resp.Body.Close()
			case !errors.Is(err, why):
				t.Errorf("request: got %v", err)
			}

			// Other connections than net/http's, which gives up by itself.
			tlsConfig, err := transport.TLSConfigFor(config)
			if err != nil || test.rejected {
				return
			}
			ctx, cancelDial := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancelDial()
			conn, err := (&tls.Dialer{Config: tlsConfig}).DialContext(ctx, "tcp", s.Listener.Addr().String())
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("handshake: got %v", err)
			}
			if err == nil {
				_ = conn.Close()
			}
		})
	}
}

func TestCallersCredentialsGoFirst(t *testing.T) {
	p := newProgram(t, token("one"))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "mine")
	resp, err := roundTripperFor(t, p.authenticator(nil), &server{}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); string(body) != "mine" || len(p.told()) > 0 {
		t.Errorf("sent %q after %d runs", body, len(p.told()))
	}
	for name, config := range map[string]*transport.Config{
		"token":       {BearerToken: "a"},
		"token file":  {BearerTokenFile: "a"},
		"password":    {Username: "a"},
		"certificate": {TLS: transport.TLSConfig{CertFile: "a", KeyFile: "a"}},
	} {
		if err := p.authenticator(nil).UpdateTransportConfig(config); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if config.WrapTransport != nil || config.DialHolder != nil || config.TLS.GetCertHolder != nil {
			t.Errorf("%s: the program is run nevertheless", name)
		}
	}
}

func TestRedirectToAnotherServerGetsNoToken(t *testing.T) {
	p := newProgram(t, token("one"))
	first, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server", nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://other", nil)
	if err != nil {
		t.Fatal(err)
	}
	second.Response = &http.Response{Request: first}
	resp, err := roundTripperFor(t, p.authenticator(nil), &server{}).RoundTrip(second)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(resp.Body); len(body) > 0 || len(p.told()) > 0 {
		t.Errorf("sent %q after %d runs", body, len(p.told()))
	}
}

func TestUpdateTransportConfigRefuses(t *testing.T) {
	a := newProgram(t, "").authenticator(nil)
	for name, config := range map[string]*transport.Config{
		"another certificate function": {TLS: transport.TLSConfig{GetCertHolder: &transport.GetCertHolder{}}},
		"no dial function":             {DialHolder: &transport.DialHolder{}},
	} {
		if err := a.UpdateTransportConfig(config); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestWhatTheProgramIsTold(t *testing.T) {
	cluster := &Cluster{
		Server: "https://server", TLSServerName: "name", InsecureSkipTLSVerify: true,
		CertificateAuthorityData: []byte("ca"), ProxyURL: "http://proxy", DisableCompression: true,
	}
	for name, test := range map[string]struct {
		version string
		cluster *Cluster
		want    string
	}{
		"v1":      {v1, nil, `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}}`},
		"v1beta1": {v1beta1, nil, `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{"interactive":false}}`},
		"cluster": {v1, cluster, `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://server","tls-server-name":"name","insecure-skip-tls-verify":true,"certificate-authority-data":"Y2E=","proxy-url":"http://proxy","disable-compression":true,"config":null},"interactive":false}}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, answerWith(test.version, map[string]any{"token": "one"}))
			p.config.APIVersion = test.version
			p.config.ProvideClusterInfo = test.cluster != nil
			if got, _ := send(t, roundTripperFor(t, p.authenticator(test.cluster), &server{})); got != "Bearer one" {
				t.Errorf("sent %q", got)
			}
			if told := p.told(); len(told) != 1 || told[0] != "an-argument|"+test.want {
				t.Errorf("the program received\n%s, want\n%s", told, test.want)
			}
		})
	}
}

// TestCertificateRotation uses a program that prints another certificate after a 401.
func TestCertificateRotation(t *testing.T) {
	ca := testcert.New(t)
	status := func(name string) string {
		cert, key := ca.Issue(t, name)
		return answerWith(v1, map[string]any{"clientCertificateData": string(cert), "clientKeyData": string(key)})
	}
	p := newProgram(t, status("one"))
	s := startTLSServer(t, ca)
	config := &transport.Config{TLS: transport.TLSConfig{CAData: ca.PEM}}
	if err := p.authenticator(nil).UpdateTransportConfig(config); err != nil {
		t.Fatal(err)
	}
	rt, err := transport.New(config)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: rt}
	expect := func(what, want string) {
		t.Helper()
		resp, err := client.Get(s.URL)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		if body, err := io.ReadAll(resp.Body); err != nil || string(body) != want {
			t.Errorf("%s: the server saw %q, %v, want %q", what, body, err, want)
		}
	}
	expect("first", "one")
	p.says(status("two"))
	expect("kept", "one")
	s.reject("one")
	expect("rejected", "one")
	expect("refreshed", "two")
}

func TestAnswersThatAreRefused(t *testing.T) {
	ca := testcert.New(t)
	cert, key := ca.Issue(t, "client")
	_, other := ca.Issue(t, "other")
	for name, test := range map[string]struct {
		answer string
		want   string
	}{
		"nothing":           {"", "not the JSON"},
		"no JSON":           {planted, "not the JSON"},
		"token in an error": {`{"kind":"ExecCredential","status":{"token":["` + planted + `"]}}`, "not the JSON"},
		"no kind":           {`{"status":{"token":"` + planted + `"}}`, "kind"},
		"another kind":      {`{"kind":"` + planted + `"}`, "kind"},
		"case of names":     {`{"Kind":"ExecCredential","apiVersion":"` + v1 + `","status":{"token":"` + planted + `"}}`, "kind"},
		"the other version": {answerWith(v1beta1, map[string]any{"token": planted}), "returned version " + v1beta1},
		"unknown version":   {answerWith(planted, nil), "another version"},
		"no status":         {`{"kind":"ExecCredential","apiVersion":"` + v1 + `"}`, "status"},
		"empty status":      {answerWith(v1, map[string]any{}), "a token or cert/key pair"},
		"certificate alone": {answerWith(v1, map[string]any{"clientCertificateData": string(cert)}), "not both"},
		"key alone":         {answerWith(v1, map[string]any{"token": planted, "clientKeyData": string(key)}), "not both"},
		"key of another":    {answerWith(v1, map[string]any{"clientCertificateData": string(cert), "clientKeyData": string(other)}), "client key/certificate"},
		"invalid key":       {answerWith(v1, map[string]any{"clientCertificateData": string(cert), "clientKeyData": planted}), "client key/certificate"},
		"invalid expiry":    {answerWith(v1, map[string]any{"token": planted, "expirationTimestamp": planted}), "RFC 3339"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeAnswer([]byte(test.answer), v1)
			expectError(t, err, test.want)
		})
	}
}

// expectError fails if err does not contain want, or if it contains a secret.
func expectError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want an error with %q", err, want)
	}
	if secrettest.Shows(err.Error(), planted) || strings.Contains(err.Error(), "PRIVATE") {
		t.Errorf("a secret is in %v", err)
	}
}

func TestFailures(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*api.ExecConfig)
		want   string
	}{
		"refused answer":      {func(*api.ExecConfig) {}, "getting credentials: decoding stdout"},
		"exit code":           {func(c *api.ExecConfig) { c.Env = append(c.Env, api.ExecEnvVar{Name: exitCode, Value: "7"}) }, "failed with exit code 7"},
		"not found":           {func(c *api.ExecConfig) { c.Command, c.InstallHint = "no-such-program", "brew install it" }, "executable no-such-program not found"},
		"not found by path":   {func(c *api.ExecConfig) { c.Command, c.InstallHint = "/no/such/program", "brew install it" }, "executable /no/such/program not found"},
		"a folder":            {func(c *api.ExecConfig) { c.Command = "/" }, "exec:"},
		"no interactive mode": {func(c *api.ExecConfig) { c.InteractiveMode = "" }, "unknown interactiveMode"},
		"denied":              {func(c *api.ExecConfig) { c.PluginPolicy.PolicyType = api.PluginPolicyDenyAll }, "not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, planted)
			p.config.Args = []string{planted}
			test.change(p.config)
			body := &closeRecorder{}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://server", body)
			if err != nil {
				t.Fatal(err)
			}
			_, err = roundTripperFor(t, p.authenticator(nil), &server{}).RoundTrip(req)
			expectError(t, err, test.want)
			if hint := p.config.InstallHint; hint != "" && !strings.Contains(err.Error(), hint) {
				t.Errorf("the hint is not in %v", err)
			}
			if !body.closed {
				t.Error("the body of a request that was not sent is still open")
			}
		})
	}
}

// closeRecorder is an empty body that records whether it was closed.
type closeRecorder struct {
	closed bool
}

func (*closeRecorder) Read([]byte) (int, error) { return 0, io.EOF }

func (c *closeRecorder) Close() error {
	c.closed = true
	return nil
}

func TestInstallHintIsNotRepeatedForever(t *testing.T) {
	p := newProgram(t, "")
	p.config.Command = "no-such-program"
	a := p.authenticator(nil)
	hints := 0
	for range 20 {
		if _, err := a.credentials(t.Context(), nil); strings.Contains(err.Error(), "not installed") {
			hints++
		}
	}
	if hints != 10 {
		t.Errorf("the hint was given %d times", hints)
	}
}

func TestInvalidVersion(t *testing.T) {
	for _, version := range []string{"", "client.authentication.k8s.io/v1alpha1", "v1"} {
		if _, err := newAuthenticator(&api.ExecConfig{APIVersion: version}, nil); err == nil {
			t.Errorf("%q is accepted", version)
		}
	}
}
