package rest_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
	"github.com/listwatch/listwatch/runtime/rest"
)

// plantedInConfig is in each place of fullConfig that may hold a credential.
const plantedInConfig = "s3cr3t"

type persister struct{ Config map[string]string }

func (persister) Persist(map[string]string) error { return nil }

type transportWithToken struct{ Token string }

func (transportWithToken) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }

// fullConfig returns a Config without zero fields.
func fullConfig() *rest.Config {
	planted := plantedInConfig
	return &rest.Config{
		Host:    "https://user:" + planted + "@server:6443/prefix",
		APIPath: "/apis",
		ContentConfig: rest.ContentConfig{
			AcceptContentTypes: "a/b", ContentType: "c/d",
			GroupVersion:         &schema.GroupVersion{Group: "g", Version: "v1"},
			NegotiatedSerializer: streaming,
		},
		Username: "name", Password: planted, BearerToken: planted, BearerTokenFile: "/token",
		Impersonate: rest.ImpersonationConfig{
			UserName: "other", UID: "uid", Groups: []string{"group"}, Extra: map[string][]string{"key": {planted}},
		},
		AuthProvider:        &api.AuthProviderConfig{Name: "provider", Config: map[string]string{"token": planted}},
		AuthConfigPersister: persister{map[string]string{"token": planted}},
		ExecProvider: &api.ExecConfig{
			Command: "program", Args: []string{planted}, Env: []api.ExecEnvVar{{Name: "NAME", Value: planted}},
			Config: &metav1.Status{Message: planted},
		},
		TLSClientConfig: rest.TLSClientConfig{
			Insecure: true, ServerName: "sni", CertFile: "/cert", KeyFile: "/key", CAFile: "/ca",
			CertData: []byte("certificate"), KeyData: []byte(planted), CAData: []byte("roots"), NextProtos: []string{"h2"},
		},
		UserAgent: "agent", DisableCompression: true,
		Transport:     transportWithToken{planted},
		WrapTransport: func(rt http.RoundTripper) http.RoundTripper { return rt },
		QPS:           1, Burst: 2, RateLimiter: flowcontrol.NewTokenBucketRateLimiter(1, 1),
		WarningHandler: rest.NoWarnings{}, WarningHandlerWithContext: rest.NoWarnings{},
		Timeout: time.Minute,
		Dial:    func(context.Context, string, string) (net.Conn, error) { return nil, nil },
		Proxy:   func(*http.Request) (*url.URL, error) { return nil, nil },
	}
}

// zeroFields returns the fields of v, and of the structs in it, that are zero.
func zeroFields(v reflect.Value) []string {
	var zero []string
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if f.IsZero() {
			zero = append(zero, field.Name)
		} else if f.Kind() == reflect.Struct && strings.HasSuffix(f.Type().PkgPath(), "/rest") {
			for _, name := range zeroFields(f) {
				zero = append(zero, field.Name+"."+name)
			}
		}
	}
	return zero
}

func TestFullConfigIsFull(t *testing.T) {
	if zero := zeroFields(reflect.ValueOf(*fullConfig())); len(zero) > 0 {
		t.Fatalf("the tests below do not look at %v", zero)
	}
}

func TestConfigIsNotPrinted(t *testing.T) {
	config := fullConfig()
	for _, v := range []any{
		config, *config, &config.TLSClientConfig, config.TLSClientConfig, &config.Impersonate, config.Impersonate,
		struct{ Config *rest.Config }{config}, struct{ Config rest.Config }{*config}, struct{ *rest.Config }{config},
		struct{ TLS rest.TLSClientConfig }{config.TLSClientConfig},
		[]*rest.Config{config}, map[string]rest.Config{"a": *config},
	} {
		t.Run(reflect.TypeOf(v).String(), func(t *testing.T) {
			secrettest.Check(t, v, plantedInConfig)
			secrettest.CheckEncoders(t, v, plantedInConfig)
		})
	}
	var none *rest.Config
	if got := none.String() + none.GoString(); got != "<nil><nil>" {
		t.Errorf("nil prints as %q", got)
	}
	secrettest.Check(t, none, plantedInConfig)
	secrettest.Check(t, (*rest.TLSClientConfig)(nil), plantedInConfig)
}

// holder contains configs in fields where printers do not call their methods.
type holder struct {
	value       rest.Config
	pointer     *rest.Config
	tls         rest.TLSClientConfig
	impersonate rest.ImpersonationConfig
}

// TestKnownToPrint checks the list in the package's documentation of printers that print the
// credentials of a config: if one of them hides them some day, the list must be updated.
func TestKnownToPrint(t *testing.T) {
	secret := rest.Config{Password: plantedInConfig}
	sprintf := fmt.Sprintf // vet knows that these verbs do not fit
	for name, print := range map[string]func() string{
		"fmt, a value in an unexported field":  func() string { return fmt.Sprint(holder{value: secret}) },
		"%s, a pointer in an unexported field": func() string { return sprintf("%s", holder{pointer: &secret}) },
		"%x, a key in an unexported field": func() string {
			return sprintf("%x", holder{tls: rest.TLSClientConfig{KeyData: []byte(plantedInConfig)}})
		},
		"%+v, impersonation in an unexported field": func() string {
			return fmt.Sprintf("%+v", holder{impersonate: rest.ImpersonationConfig{Extra: map[string][]string{"key": {plantedInConfig}}}})
		},
		"cmp.Diff": func() string { return cmp.Diff(secret, rest.Config{}) },
		"a conversion to another type": func() string {
			type plain rest.ImpersonationConfig
			return fmt.Sprint(plain{Extra: map[string][]string{"key": {plantedInConfig}}})
		},
	} {
		if out := print(); !secrettest.Shows(out, plantedInConfig) {
			t.Errorf("%s: prints %s", name, out)
		}
	}
	// A pointer in an unexported field is an address for these verbs.
	for _, verb := range []string{"%v", "%+v", "%#v", "%d"} {
		if out := fmt.Sprintf(verb, holder{pointer: &secret}); secrettest.Shows(out, plantedInConfig) {
			t.Errorf("%s: %s", verb, out)
		}
	}
}

func TestConfigPrintsWhatIsHarmless(t *testing.T) {
	got := fullConfig().String()
	for _, part := range []string{
		`&rest.Config{Host:"https://REDACTED@server:6443/prefix"`, `Username:"name"`, "Password:--- REDACTED ---", `BearerTokenFile:"/token"`,
		`Groups:[]string{"group"}`, `"key"`, `Name:"provider"`, `Command:"program"`, `CAFile:"/ca"`, `UserAgent:"agent"`, `Timeout:"1m0s"`, "QPS:1",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
	if got := (&rest.Config{}).String(); got != "&rest.Config{}" {
		t.Errorf("an empty config prints as %s", got)
	}
}

func TestConfigPanics(t *testing.T) {
	defer func() {
		secrettest.Check(t, recover(), plantedInConfig)
	}()
	panic(fullConfig())
}

// comparable turns config into what reflect.DeepEqual can compare.
func withoutFunctions(config *rest.Config) rest.Config {
	c := *config
	c.WrapTransport, c.Dial, c.Proxy = nil, nil, nil
	c.NegotiatedSerializer, c.RateLimiter = nil, nil
	return c
}

func TestCopyConfig(t *testing.T) {
	config := fullConfig()
	copied := rest.CopyConfig(config)
	if zero := zeroFields(reflect.ValueOf(*copied)); len(zero) > 0 {
		t.Errorf("not copied: %v", zero)
	}
	if !reflect.DeepEqual(withoutFunctions(config), withoutFunctions(copied)) {
		t.Error("the copy differs")
	}
	copied.ExecProvider.Command = "changed"
	copied.ExecProvider.Args[0] = "changed"
	copied.ExecProvider.Config.(*metav1.Status).Message = "changed"
	copied.AuthProvider.Config["token"] = "changed"
	copied.Impersonate.Groups[0] = "changed"
	copied.Impersonate.Extra["key"][0] = "changed"
	copied.NextProtos[0] = "changed"
	copied.GroupVersion.Version = "changed"
	if !reflect.DeepEqual(withoutFunctions(config), withoutFunctions(fullConfig())) {
		t.Error("a change of the copy changes the original")
	}
	if empty := rest.CopyConfig(&rest.Config{}); !reflect.DeepEqual(empty, &rest.Config{}) {
		t.Error("an empty config is copied to something")
	}
}

func TestAnonymousClientConfig(t *testing.T) {
	config := fullConfig()
	anonymous := rest.AnonymousClientConfig(config)
	want := map[string]bool{
		"Username": true, "Password": true, "BearerToken": true, "BearerTokenFile": true, "Impersonate": true,
		"AuthProvider": true, "AuthConfigPersister": true, "ExecProvider": true, "Transport": true, "WrapTransport": true,
		"TLSClientConfig.CertFile": true, "TLSClientConfig.KeyFile": true, "TLSClientConfig.CertData": true, "TLSClientConfig.KeyData": true,
	}
	for _, name := range zeroFields(reflect.ValueOf(*anonymous)) {
		if !want[name] {
			t.Errorf("%s is dropped", name)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("kept: %v", want)
	}
	anonymous.NextProtos[0], anonymous.GroupVersion.Version = "changed", "changed"
	if !reflect.DeepEqual(withoutFunctions(config), withoutFunctions(fullConfig())) {
		t.Error("a change of the copy changes the original")
	}
}

func TestLoadTLSFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ca", "cert", "key"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name+" in a file"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := &rest.Config{TLSClientConfig: rest.TLSClientConfig{
		CAFile: filepath.Join(dir, "ca"), CertFile: filepath.Join(dir, "cert"), CertData: []byte("cert"), KeyFile: filepath.Join(dir, "key"),
	}}
	if err := rest.LoadTLSFiles(config); err != nil {
		t.Fatal(err)
	}
	if got := string(config.CAData) + "|" + string(config.CertData) + "|" + string(config.KeyData); got != "ca in a file|cert|key in a file" {
		t.Errorf("got %s", got)
	}
	for _, c := range []rest.TLSClientConfig{{CAFile: "/nowhere"}, {CertFile: "/nowhere"}, {KeyFile: "/nowhere"}} {
		if err := rest.LoadTLSFiles(&rest.Config{TLSClientConfig: c}); !os.IsNotExist(err) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	empty := &rest.Config{}
	if err := rest.LoadTLSFiles(empty); err != nil || empty.CAData != nil || empty.CertData != nil || empty.KeyData != nil {
		t.Errorf("got %v", err)
	}
}
