package rest

import (
	"cmp"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

const (
	// DefaultQPS is a limit for those who ask for one but do not know which.
	DefaultQPS float32 = 5.0
	// DefaultBurst is the burst of a client whose config sets QPS, but no Burst.
	DefaultBurst int = 10
)

var (
	errNoGroupVersion = errors.New("GroupVersion is required when initializing a RESTClient")
	errNoSerializer   = errors.New("NegotiatedSerializer is required when initializing a RESTClient")
	errBurstAlone     = errors.New("config has a Burst but no QPS, which is no limit (client-go: 5 requests per second): set QPS, to -1 for no limit, or leave Burst at 0")
)

// RESTClientFor returns a client with an HTTP client of its own, made by [HTTPClientFor]. The config needs a
// GroupVersion and a NegotiatedSerializer; it is not kept.
//
//nolint:revive // the name is part of the compatible API
func RESTClientFor(config *Config) (*RESTClient, error) {
	if config.GroupVersion == nil {
		return nil, errNoGroupVersion
	}
	return UnversionedRESTClientFor(config)
}

// RESTClientForConfigAndClient is [RESTClientFor] with an HTTP client that can be shared by many of them.
// It takes the place of all that the config says about transport and credentials. If nil, it is
// http.DefaultClient.
//
//nolint:revive // the name is part of the compatible API
func RESTClientForConfigAndClient(config *Config, httpClient *http.Client) (*RESTClient, error) {
	if config.GroupVersion == nil {
		return nil, errNoGroupVersion
	}
	return UnversionedRESTClientForConfigAndClient(config, httpClient)
}

// UnversionedRESTClientFor is [RESTClientFor] for what has no version, such as discovery: the config needs
// no GroupVersion.
func UnversionedRESTClientFor(config *Config) (*RESTClient, error) {
	if config.NegotiatedSerializer == nil {
		return nil, errNoSerializer
	}
	// A host that cannot be is found before a transport is made.
	if _, _, err := DefaultServerUrlFor(config); err != nil {
		return nil, err
	}
	httpClient, err := HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return UnversionedRESTClientForConfigAndClient(config, httpClient)
}

// UnversionedRESTClientForConfigAndClient is [RESTClientForConfigAndClient] for what has no version.
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
		Negotiator:         runtime.NewClientNegotiator(config.NegotiatedSerializer, gv),
	}
}

// rateLimiterFor returns the limiter that the config asks for, or nil: without being asked, the client
// leaves it to the server to limit it.
func rateLimiterFor(config *Config) (flowcontrol.RateLimiter, error) {
	switch {
	case config.RateLimiter != nil:
		return config.RateLimiter, nil
	case config.QPS == 0 && config.Burst > 0:
		return nil, errBurstAlone
	case config.QPS <= 0:
		return nil, nil //nolint:nilnil // no limiter is one that does not limit
	}
	return flowcontrol.NewTokenBucketRateLimiter(config.QPS, cmp.Or(config.Burst, DefaultBurst)), nil
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

// SetKubernetesDefaults sets the user agent where there is none.
func SetKubernetesDefaults(config *Config) error {
	if config.UserAgent == "" {
		config.UserAgent = DefaultKubernetesUserAgent()
	}
	return nil
}

// CodecFactoryForGeneratedClient returns the codecs with which an emitted clientset talks, which must be made
// for the scheme: those given. Emitted code asks for them here, so that a later version can add a format
// without being emitted anew.
func CodecFactoryForGeneratedClient(_ *runtime.Scheme, codecs serializer.CodecFactory) serializer.CodecFactory {
	return codecs
}
