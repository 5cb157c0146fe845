package rest

import (
	"cmp"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

const (
	// DefaultQPS is a reasonable limit for clients that should have one. It is applied by default only if
	// [compat.IsClientGo].
	DefaultQPS float32 = 5.0
	// DefaultBurst is the burst of a client whose config sets QPS, but not Burst.
	DefaultBurst int = 10
)

var (
	errNoGroupVersion = errors.New("GroupVersion is required when initializing a RESTClient")
	errNoSerializer   = errors.New("NegotiatedSerializer is required when initializing a RESTClient")
	errBurstAlone     = errors.New("config has a Burst but no QPS, so it limits nothing (client-go: 5 requests per second): set QPS, to -1 for no limit, or leave Burst at 0")
)

// RESTClientFor returns a client with its own HTTP client, created by [HTTPClientFor]. The config needs a
// GroupVersion and a NegotiatedSerializer; it is not retained.
//
//nolint:revive // the name is part of the compatible API
func RESTClientFor(config *Config) (*RESTClient, error) {
	if config.GroupVersion == nil {
		return nil, errNoGroupVersion
	}
	return UnversionedRESTClientFor(config)
}

// RESTClientForConfigAndClient is [RESTClientFor] with an HTTP client, which several RESTClients can share. It
// replaces the config's transport and credentials. If nil, it is http.DefaultClient.
//
//nolint:revive // the name is part of the compatible API
func RESTClientForConfigAndClient(config *Config, httpClient *http.Client) (*RESTClient, error) {
	if config.GroupVersion == nil {
		return nil, errNoGroupVersion
	}
	return UnversionedRESTClientForConfigAndClient(config, httpClient)
}

// UnversionedRESTClientFor is [RESTClientFor] for APIs without a version, such as discovery: the config needs
// no GroupVersion.
func UnversionedRESTClientFor(config *Config) (*RESTClient, error) {
	if config.NegotiatedSerializer == nil {
		return nil, errNoSerializer
	}
	// An invalid host is reported before a transport is created.
	if _, _, err := DefaultServerUrlFor(config); err != nil {
		return nil, err
	}
	httpClient, err := HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return UnversionedRESTClientForConfigAndClient(config, httpClient)
}

// UnversionedRESTClientForConfigAndClient is [RESTClientForConfigAndClient] for APIs without a version.
func UnversionedRESTClientForConfigAndClient(config *Config, httpClient *http.Client) (*RESTClient, error) {
	if config.NegotiatedSerializer == nil {
		return nil, errNoSerializer
	}
	base, apiPath, err := DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	gv := metav1.SchemeGroupVersion
	if config.GroupVersion != nil {
		gv = *config.GroupVersion
	}
	limiter, err := rateLimiterFor(config)
	if err != nil {
		return nil, err
	}
	c, err := NewRESTClient(base, apiPath, contentFor(config, gv), limiter, httpClient)
	if err != nil {
		return nil, err
	}
	c.warningHandler = warningHandlerFor(config)
	return c, nil
}

func contentFor(config *Config, gv schema.GroupVersion) ClientContentConfig {
	return ClientContentConfig{
		AcceptContentTypes: config.AcceptContentTypes,
		ContentType:        config.ContentType,
		GroupVersion:       gv,
		Negotiator:         runtime.NewClientNegotiator(codec.Recognize(config.NegotiatedSerializer), gv),
	}
}

// rateLimiterFor returns the config's limiter, or nil: by default, rate limiting is left to the server, except if
// [compat.IsClientGo].
func rateLimiterFor(config *Config) (flowcontrol.RateLimiter, error) {
	qps := config.QPS
	if compat.IsClientGo() {
		qps = cmp.Or(qps, DefaultQPS)
	}
	switch {
	case config.RateLimiter != nil:
		return config.RateLimiter, nil
	case qps == 0 && config.Burst > 0:
		return nil, errBurstAlone
	case qps <= 0:
		return nil, nil //nolint:nilnil // nil means no limit
	}
	return flowcontrol.NewTokenBucketRateLimiter(qps, cmp.Or(config.Burst, DefaultBurst)), nil
}

func warningHandlerFor(config *Config) WarningHandlerWithContext {
	switch {
	case config.WarningHandlerWithContext != nil:
		return config.WarningHandlerWithContext
	case config.WarningHandler != nil:
		return withoutContext{config.WarningHandler}
	default:
		return nil
	}
}

// SetKubernetesDefaults sets the default user agent if none is set.
func SetKubernetesDefaults(config *Config) error {
	if config.UserAgent == "" {
		config.UserAgent = DefaultKubernetesUserAgent()
	}
	return nil
}

// CodecFactoryForGeneratedClient returns the codecs of a generated clientset: those given, which must belong to
// the scheme. Generated code calls it so that a later version of the runtime can add a format without new
// generated code.
func CodecFactoryForGeneratedClient(_ *runtime.Scheme, codecs serializer.CodecFactory) serializer.CodecFactory {
	return codecs
}
