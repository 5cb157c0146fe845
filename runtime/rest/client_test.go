package rest_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/rest"
)

func TestClientFor(t *testing.T) {
	full := func() *rest.Config {
		return &rest.Config{Host: "https://host", APIPath: "/apis", ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: streaming}}
	}
	versioned := map[string]func(*rest.Config) (*rest.RESTClient, error){
		"RESTClientFor":                rest.RESTClientFor,
		"RESTClientForConfigAndClient": func(c *rest.Config) (*rest.RESTClient, error) { return rest.RESTClientForConfigAndClient(c, nil) },
	}
	unversioned := map[string]func(*rest.Config) (*rest.RESTClient, error){
		"UnversionedRESTClientFor": rest.UnversionedRESTClientFor,
		"UnversionedRESTClientForConfigAndClient": func(c *rest.Config) (*rest.RESTClient, error) {
			return rest.UnversionedRESTClientForConfigAndClient(c, nil)
		},
	}
	for _, test := range []struct {
		name                           string
		change                         func(*rest.Config)
		versionedErr, unversionedErr   string
		versionedURL, unversionedURL   string
		versionedGroup, unversionedGrp schema.GroupVersion
	}{
		{"full", func(*rest.Config) {}, "", "", "https://host/apis/test.dev/v1", "https://host/apis/test.dev/v1", gadgets, gadgets},
		{"no version", func(c *rest.Config) { c.GroupVersion = nil }, "GroupVersion is required", "", "", "https://host/apis", gadgets, metav1.SchemeGroupVersion},
		{"no serializer", func(c *rest.Config) { c.NegotiatedSerializer = nil }, "NegotiatedSerializer is required", "NegotiatedSerializer is required", "", "", gadgets, gadgets},
		{"bad host", func(c *rest.Config) { c.Host = "host/path" }, "host must be a URL", "host must be a URL", "", "", gadgets, gadgets},
		{"group without a path", func(c *rest.Config) { c.APIPath = "" }, "", "", "https://host/test.dev/v1", "https://host/test.dev/v1", gadgets, gadgets},
	} {
		check := func(name string, make func(*rest.Config) (*rest.RESTClient, error), wantErr, wantURL string, wantVersion schema.GroupVersion) {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				config := full()
				test.change(config)
				c, err := make(config)
				if wantErr != "" {
					if err == nil || !strings.Contains(err.Error(), wantErr) || c != nil {
						t.Errorf("%v, error is %v", c, err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := c.Get().URL().String(); got != wantURL || c.APIVersion() != wantVersion {
					t.Errorf("%s, %v", got, c.APIVersion())
				}
			})
		}
		for name, make := range versioned {
			check(name, make, test.versionedErr, test.versionedURL, test.versionedGroup)
		}
		for name, make := range unversioned {
			check(name, make, test.unversionedErr, test.unversionedURL, test.unversionedGrp)
		}
	}
}

func TestConfigIsNotKept(t *testing.T) {
	gv := gadgets
	config := &rest.Config{Host: "https://host", APIPath: "/apis", ContentConfig: rest.ContentConfig{GroupVersion: &gv, NegotiatedSerializer: streaming}}
	c, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	gv.Version = "v2"
	*config = rest.Config{}
	if got := c.Get().URL().String(); got != "https://host/apis/test.dev/v1" || c.APIVersion() != gadgets {
		t.Errorf("%s, %v", got, c.APIVersion())
	}
}

func TestSetKubernetesDefaults(t *testing.T) {
	for _, set := range []string{"", "mine"} {
		config := &rest.Config{UserAgent: set}
		if err := rest.SetKubernetesDefaults(config); err != nil {
			t.Fatal(err)
		}
		want := set
		if want == "" {
			want = rest.DefaultKubernetesUserAgent()
		}
		if config.UserAgent != want {
			t.Errorf("user agent is %q, want %q", config.UserAgent, want)
		}
	}
}

func TestCodecFactoryForGeneratedClient(t *testing.T) {
	got := rest.CodecFactoryForGeneratedClient(gadgetScheme, gadgetCodecs)
	if len(got.SupportedMediaTypes()) != len(gadgetCodecs.SupportedMediaTypes()) {
		t.Error("they are others")
	}
}

func TestRequestConstructionError(t *testing.T) {
	err := &rest.RequestConstructionError{Err: rest.ErrBodyTooLarge}
	if got := err.Error(); got != "request construction error: 'response body too large'" {
		t.Error(got)
	}
}
