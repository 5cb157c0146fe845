package transport

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/listwatch/listwatch/runtime/internal/secret/secrettest"
)

func TestNothingSecretIsPrinted(t *testing.T) {
	const planted = "s3cr3t"
	config := Config{
		Username:    "name",
		Password:    planted,
		BearerToken: planted,
		TLS:         TLSConfig{KeyData: []byte(planted), CAData: []byte("ca"), ServerName: "server"},
		Impersonate: ImpersonationConfig{UserName: "other", Extra: map[string][]string{"key": {planted}}},
		DialHolder:  noDial,
	}
	source := NewCachedTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: planted}))
	if _, err := source.Token(); err != nil {
		t.Fatal(err)
	}
	cached := source.(*cachedTokenSource)
	cached.base = nil // a source of oauth2, which stores its token in a plain field
	bearer, err := NewBearerAuthWithRefreshRoundTripper(planted, file(t, []byte(planted)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		config, &config, config.TLS, &config.TLS, config.Impersonate, &config.Impersonate,
		struct{ Config *Config }{&config}, struct{ Config Config }{config},
		struct{ TLS *TLSConfig }{&config.TLS},
		source, bearer, struct{ any }{bearer},
		NewBearerAuthRoundTripper(planted, nil), NewBasicAuthRoundTripper("name", planted, nil),
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) { secrettest.Check(t, v, planted) })
	}
	for _, v := range []any{config, &config.TLS, config.Impersonate, struct{ TLS TLSConfig }{config.TLS}} {
		secrettest.CheckEncoders(t, v, planted)
	}

	got := fmt.Sprintf("%+v", config)
	for _, part := range []string{`Username:"name"`, "Password:---", `ServerName:"server"`, "CAData:[2 bytes]", `UserName:"other"`, `"key"`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
	if got := fmt.Sprintf("%v %#v", (*Config)(nil), (*TLSConfig)(nil)); got != "<nil> <nil>" {
		t.Errorf("nil prints as %q", got)
	}
}
