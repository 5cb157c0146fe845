package execplugin

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/testcert"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// counted contains the last values of metrics.
var counted struct {
	mu     sync.Mutex // guards the fields below
	calls  string
	policy string
	expiry *time.Time
}

type calls struct{}

func (calls) Increment(code int, status string) {
	counted.mu.Lock()
	defer counted.mu.Unlock()
	counted.calls = fmt.Sprintf("%d %s", code, status)
}

type policyCalls struct{}

func (policyCalls) Increment(status string) {
	counted.mu.Lock()
	defer counted.mu.Unlock()
	counted.policy = status
}

type expiry struct{}

func (expiry) Set(t *time.Time) {
	counted.mu.Lock()
	defer counted.mu.Unlock()
	counted.expiry = t
}

// countMetrics is called before any test.
func countMetrics() {
	metrics.Register(metrics.RegisterOpts{ExecPluginCalls: calls{}, ExecPluginPolicyCalls: policyCalls{}, ClientCertExpiry: expiry{}})
}

func TestMetrics(t *testing.T) {
	for name, test := range map[string]struct {
		change        func(*api.ExecConfig)
		calls, policy string
	}{
		"success":   {func(*api.ExecConfig) {}, "0 no_error", "allowed"},
		"failure":   {func(c *api.ExecConfig) { c.Env = append(c.Env, api.ExecEnvVar{Name: exitCode, Value: "7"}) }, "7 plugin_execution_error", "allowed"},
		"not found": {func(c *api.ExecConfig) { c.Command = "no-such-program" }, "1 plugin_not_found_error", "allowed"},
		"denied":    {func(c *api.ExecConfig) { c.PluginPolicy.PolicyType = api.PluginPolicyDenyAll }, "", "denied"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, token("one"))
			test.change(p.config)
			counted.mu.Lock()
			counted.calls, counted.policy = "", ""
			counted.mu.Unlock()
			_, err := p.authenticator(nil).credentials(t.Context(), nil)
			if (err == nil) != (name == "success") {
				t.Error(err)
			}
			counted.mu.Lock()
			defer counted.mu.Unlock()
			if counted.calls != test.calls || counted.policy != test.policy {
				t.Errorf("counted %q and %q", counted.calls, counted.policy)
			}
		})
	}
}

func TestExpiryMetric(t *testing.T) {
	cert, key := testcert.New(t).Issue(t, "client")
	p := newProgram(t, answerWith(v1, map[string]any{"clientCertificateData": string(cert), "clientKeyData": string(key)}))
	a := p.authenticator(nil)
	creds, err := a.credentials(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	counted.mu.Lock()
	defer counted.mu.Unlock()
	if counted.expiry == nil || counted.expiry.After(creds.cert.Reveal().Leaf.NotAfter) {
		t.Errorf("the earliest expiry is %v", counted.expiry)
	}
}
