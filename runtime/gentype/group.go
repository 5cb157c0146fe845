package gentype

import (
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Group is what the clients of one group and version need, beside a config.
type Group struct {
	version    schema.GroupVersion
	apiPath    string
	serializer runtime.NegotiatedSerializer
	// internal is the scheme of an internal version, which tells the version to use
	// with the server; nil where version says it.
	internal *runtime.Scheme
}

// NewGroup returns the group and version that the server serves below apiPath, /api
// or /apis. The scheme knows its types, and codecs is made of the scheme.
func NewGroup(version schema.GroupVersion, apiPath string, scheme *runtime.Scheme, codecs serializer.CodecFactory) Group {
	return Group{version: version, apiPath: apiPath, serializer: codec.ForScheme(scheme, codecs)}
}

// InternalGroup returns a group whose Go types are those of its internal version.
// They travel as the version that the config asks for, or else as the first that the
// scheme knows.
func InternalGroup(name, apiPath string, scheme *runtime.Scheme, codecs serializer.CodecFactory) Group {
	return Group{
		version:    schema.GroupVersion{Group: name},
		apiPath:    apiPath,
		serializer: rest.CodecFactoryForGeneratedClient(scheme, codecs),
		internal:   scheme,
	}
}

// RESTClient returns a client of the group that sends its requests through an HTTP
// client, for a config, which is not changed.
//
// Whatever serializer the config has, the group's own takes its place: a config is
// often shared with clients of other groups.
func (g Group) RESTClient(c *rest.Config, httpClient *http.Client) (rest.Interface, error) {
	config := *c
	if g.internal == nil {
		config.GroupVersion = &g.version
	} else if config.GroupVersion == nil || config.GroupVersion.Group != g.version.Group {
		known := g.internal.PrioritizedVersionsForGroup(g.version.Group)
		if len(known) == 0 {
			return nil, fmt.Errorf("no version of group %q is in the scheme", g.version.Group)
		}
		config.GroupVersion = &known[0]
	}
	config.APIPath = g.apiPath
	config.NegotiatedSerializer = g.serializer
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	client, err := rest.RESTClientForConfigAndClient(&config, httpClient)
	if err != nil {
		return nil, err // no typed nil in the interface
	}
	return client, nil
}

// SharedHTTPClient returns a copy of a config, with the default user agent if it
// names none, and an HTTP client for it that all clients of a set can share.
func SharedHTTPClient(c *rest.Config) (*rest.Config, *http.Client, error) {
	config := *c
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	httpClient, err := rest.HTTPClientFor(&config)
	return &config, httpClient, err
}

// SharedRateLimiter returns a copy of a config with a rate limiter that all clients
// of a set share, where the config has none but a QPS above zero.
func SharedRateLimiter(c *rest.Config) (*rest.Config, error) {
	config := *c
	if config.RateLimiter == nil && config.QPS > 0 {
		if config.Burst <= 0 {
			return nil, fmt.Errorf("config has QPS %v but burst %d: a burst above 0 is needed where QPS is set and RateLimiter is not", config.QPS, config.Burst)
		}
		config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(config.QPS, config.Burst)
	}
	return &config, nil
}

// Must returns value, and panics if err is not nil.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
