package execplugin

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

func TestSharing(t *testing.T) {
	base := func() *api.ExecConfig {
		return &api.ExecConfig{
			Command: "a", Args: []string{"b"}, Env: []api.ExecEnvVar{{Name: "c", Value: "d"}}, APIVersion: v1,
			Config: &metav1.Status{Message: "e"},
		}
	}
	c := &cache{entries: map[cacheKey]weak.Pointer[Authenticator]{}}
	get := func(config *api.ExecConfig, cluster *Cluster) *Authenticator {
		t.Helper()
		a, err := c.get(config, cluster)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := get(base(), nil)
	if get(base(), nil) != first {
		t.Error("the same configuration has two authenticators")
	}
	seen := map[*Authenticator]string{first: "the first"}
	for name, change := range map[string]func(*api.ExecConfig){
		"command":     func(c *api.ExecConfig) { c.Command = "x" },
		"arguments":   func(c *api.ExecConfig) { c.Args = nil },
		"environment": func(c *api.ExecConfig) { c.Env[0].Value = "x" },
		"version":     func(c *api.ExecConfig) { c.APIVersion = v1beta1 },
		"hint":        func(c *api.ExecConfig) { c.InstallHint = "x" },
		"cluster":     func(c *api.ExecConfig) { c.ProvideClusterInfo = true },
		"config":      func(c *api.ExecConfig) { c.Config = &metav1.Status{Message: "x"} },
		"config type": func(c *api.ExecConfig) { c.Config = &metav1.APIVersions{} },
		"no config":   func(c *api.ExecConfig) { c.Config = nil },
		"mode":        func(c *api.ExecConfig) { c.InteractiveMode = api.AlwaysExecInteractiveMode },
		"stdin":       func(c *api.ExecConfig) { c.StdinUnavailable = true },
		"message":     func(c *api.ExecConfig) { c.StdinUnavailableMessage = "x" },
		"policy":      func(c *api.ExecConfig) { c.PluginPolicy.PolicyType = api.PluginPolicyAllowAll },
		"allowlist": func(c *api.ExecConfig) {
			c.PluginPolicy = api.PluginPolicy{PolicyType: "Allowlist", Allowlist: entries("x")}
		},
		"other list": func(c *api.ExecConfig) {
			c.PluginPolicy = api.PluginPolicy{PolicyType: "Allowlist", Allowlist: entries("y")}
		},
	} {
		config := base()
		change(config)
		a := get(config, nil)
		if other, ok := seen[a]; ok {
			t.Errorf("%s makes no difference to %s", name, other)
		}
		seen[a] = name
	}
	if get(base(), &Cluster{Server: "x"}) == first {
		t.Error("the cluster makes no difference")
	}
	config := base()
	config.Config = unencodable{}
	if _, err := c.get(config, nil); err == nil {
		t.Error("a configuration without an identity is accepted")
	}
	runtime.KeepAlive(seen)
}

// unencodable is an object that cannot be encoded as JSON.
type unencodable struct{ k8sruntime.Object }

func (unencodable) MarshalJSON() ([]byte, error) { return []byte(planted), nil }

func (u unencodable) DeepCopyObject() k8sruntime.Object { return u }

func TestRelease(t *testing.T) {
	p := newProgram(t, token("one"))
	var entry weak.Pointer[Authenticator]
	func() {
		a, err := For(p.config, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := send(t, roundTripperFor(t, a, &server{})); got != "Bearer one" {
			t.Errorf("sent %q", got)
		}
		entry = weak.Make(a)
	}()
	for range 1000 {
		runtime.GC()
		authenticators.mu.Lock()
		gone := entry.Value() == nil
		for _, listed := range authenticators.entries {
			gone = gone && listed != entry
		}
		authenticators.mu.Unlock()
		expiries.mu.Lock()
		_, counted := expiries.times[entry]
		expiries.mu.Unlock()
		if gone && !counted {
			return
		}
		runtime.Gosched()
	}
	t.Error("an unused authenticator is retained")
}

func TestAuthenticatorIsNotPrinted(t *testing.T) {
	p := newProgram(t, token(planted))
	p.config.Args = []string{planted}
	p.config.Env = append(p.config.Env, api.ExecEnvVar{Name: "X", Value: planted})
	p.config.ProvideClusterInfo = true
	a := p.authenticator(&Cluster{Server: "https://user:" + planted + "@server"})
	creds, err := a.credentials(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{creds, *creds, a.plugin, struct{ *credentials }{creds}} {
		secrettest.Check(t, v, planted)
	}
}

func TestExpiries(t *testing.T) {
	e := &expiryTracker{times: map[weak.Pointer[Authenticator]]time.Time{}}
	a, b := &Authenticator{}, &Authenticator{}
	e.set(a, time.Unix(2, 0))
	e.set(b, time.Unix(1, 0))
	e.set(b, time.Time{})
	e.remove(weak.Make(a))
	e.remove(weak.Make(a))
	if len(e.times) != 1 {
		t.Errorf("got %v", e.times)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
}

// FuzzAnswer decodes arbitrary data with a secret in it: no panic, no secret in an error, and
// credentials only if the data contain them.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(token(planted)))
	f.Add([]byte(`{"kind":"` + planted + `"}`))
	f.Add([]byte(`{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"a","expirationTimestamp":"` + planted + `"}}`))
	f.Add([]byte(`{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientCertificateData":"a","clientKeyData":"` + planted + `"}}`))
	f.Add([]byte(planted))
	f.Fuzz(func(t *testing.T, data []byte) {
		creds, err := decodeAnswer(data, v1)
		if err != nil && secrettest.Shows(err.Error(), planted) {
			t.Errorf("the secret is in %v", err)
		}
		if (err == nil) != (creds != nil) {
			t.Fatalf("got %v, %v", creds, err)
		}
		if creds != nil {
			if creds.token.IsZero() && creds.cert.IsZero() {
				t.Error("accepted output contains no credentials")
			}
			if got := fmt.Sprintf("%+v", creds); secrettest.Shows(got, planted) {
				t.Errorf("the secret is in %s", got)
			}
		}
	})
}
