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

// Group describes the clients of one group and version.
type Group struct {
	version    schema.GroupVersion
	apiPath    string
	serializer runtime.NegotiatedSerializer
	// internal is the scheme of an internal version, which determines the version that is used with
	// the server; nil if version is that.
	internal *runtime.Scheme
}

// NewGroup returns the group and version that the server serves below apiPath, /api or /apis. Its
// types are registered in scheme, and codecs is created from scheme.
func NewGroup(version schema.GroupVersion, apiPath string, scheme *runtime.Scheme, codecs serializer.CodecFactory) Group {
	return Group{version: version, apiPath: apiPath, serializer: codec.ForScheme(scheme, codecs)}
}

// InternalGroup returns a group whose Go types are those of its internal version. They are encoded
// in the version that the config requests, otherwise in the first that the scheme registers.
func InternalGroup(name, apiPath string, scheme *runtime.Scheme, codecs serializer.CodecFactory) Group {
	return Group{
		version:    schema.GroupVersion{Group: name},
		apiPath:    apiPath,
		serializer: rest.CodecFactoryForGeneratedClient(scheme, codecs),
		internal:   scheme,
	}
}

// RESTClient returns a client of the group that sends its requests with an HTTP client. The config
// is not modified.
//
// The group's serializer replaces the config's, because a config is often shared with clients of
// other groups.
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
		return nil, err // avoids a typed nil in the interface
	}
	return client, nil
}

// ForConfig calls create with a copy of a config, which has the default user agent if the config
// has none, and with an HTTP client for it. C is a pointer type.
func ForConfig[C any](c *rest.Config, create func(*rest.Config, *http.Client) (C, error)) (C, error) {
	config := *c
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	httpClient, err := rest.HTTPClientFor(&config)
	if err != nil {
		var none C
		return none, err
	}
	return create(&config, httpClient)
}

// ForGroup calls create with the result of [Group.RESTClient]. C is a pointer type.
func ForGroup[C any](g Group, c *rest.Config, httpClient *http.Client, create func(rest.Interface) C) (C, error) {
	client, err := g.RESTClient(c, httpClient)
	if err != nil {
		var none C
		return none, err
	}
	return create(client), nil
}

// SharedRateLimiter returns a copy of a config. If the config has no rate limiter and a QPS above
// zero, the copy has one that all clients of a clientset share.
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

// Must returns value. It panics if err is not nil.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
