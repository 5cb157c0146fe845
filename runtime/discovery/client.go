package discovery

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
)

const (
	// defaultTimeout bounds a request if the config does not.
	defaultTimeout = 32 * time.Second
	// defaultBurst is enough for one request for each group version of a large
	// cluster.
	defaultBurst = 300
)

// DiscoveryClient implements [DiscoveryInterfaces] over HTTP, and the interfaces for aggregated discovery. Its
// fields must not be changed once it is in use. It is safe for concurrent use.
type DiscoveryClient struct { //nolint:revive // the name is client-go's
	restClient rest.Interface

	// LegacyPrefix is the path of the core group's versions, usually "/api". If it is empty, the core group is
	// requested below /apis.
	LegacyPrefix string
	// UseLegacyDiscovery restricts the client to legacy discovery.
	UseLegacyDiscovery bool
	// NoPeerDiscovery restricts aggregated discovery to resources that the server itself serves, without those
	// that only its peers serve.
	NoPeerDiscovery bool
}

var (
	_ DiscoveryInterfaces                     = &DiscoveryClient{}
	_ AggregatedDiscoveryInterface            = &DiscoveryClient{}
	_ AggregatedDiscoveryInterfaceWithContext = &DiscoveryClient{}
)

// NewDiscoveryClient returns a client that sends its requests with c.
func NewDiscoveryClient(c rest.Interface) *DiscoveryClient {
	return &DiscoveryClient{restClient: c, LegacyPrefix: "/api"}
}

// NewDiscoveryClientForConfig returns a client for the server of a config, which is not modified. Without a
// timeout in the config, a request may take 32 seconds.
func NewDiscoveryClientForConfig(c *rest.Config) (*DiscoveryClient, error) {
	config := withDefaults(c)
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return NewDiscoveryClientForConfigAndClient(config, httpClient)
}

// NewDiscoveryClientForConfigAndClient returns a client for the server of a config, which is not modified.
// httpClient sends the requests; the config's transport and timeout are ignored.
func NewDiscoveryClientForConfigAndClient(c *rest.Config, httpClient *http.Client) (*DiscoveryClient, error) {
	client, err := rest.UnversionedRESTClientForConfigAndClient(withDefaults(c), httpClient)
	if err != nil {
		return nil, err
	}
	return NewDiscoveryClient(client), nil
}

// NewDiscoveryClientForConfigOrDie is [NewDiscoveryClientForConfig], but panics on errors.
func NewDiscoveryClientForConfigOrDie(c *rest.Config) *DiscoveryClient {
	client, err := NewDiscoveryClientForConfig(c)
	if err != nil {
		panic(err)
	}
	return client
}

func withDefaults(c *rest.Config) *rest.Config {
	config := *c
	config.APIPath = ""
	config.GroupVersion = nil
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	if config.Burst == 0 && (config.QPS > 0 || compat.IsClientGo()) {
		config.Burst = defaultBurst
	}
	config.NegotiatedSerializer = metaSerializer()
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	return &config
}

// metaSerializer decodes the types of discovery, and errors, for every media type of a response; it encodes
// nothing.
var metaSerializer = sync.OnceValue(func() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	return serializer.NegotiatedSerializerWrapper(runtime.SerializerInfo{
		Serializer: runtime.NoopEncoder{Decoder: decoder},
	})
})

// RESTClient returns the client that sends the requests, nil for a nil receiver.
func (d *DiscoveryClient) RESTClient() rest.Interface {
	if d == nil {
		return nil
	}
	return d.restClient
}

// maxDocumentBytes bounds the size of a discovery document. One with ten thousand resources is a tenth as long.
const maxDocumentBytes = 64 << 20

// document returns a request for a discovery document.
func (d *DiscoveryClient) document(path string) *rest.Request {
	return d.restClient.Get().AbsPath(path).LimitBody(maxDocumentBytes)
}

// WithLegacy returns a copy that is restricted to legacy discovery.
func (d *DiscoveryClient) WithLegacy() DiscoveryInterface { return d.legacy() }

// WithLegacyWithContext returns a copy that is restricted to legacy discovery.
func (d *DiscoveryClient) WithLegacyWithContext(context.Context) DiscoveryInterfaceWithContext {
	return d.legacy()
}

func (d *DiscoveryClient) legacy() *DiscoveryClient {
	client := *d
	client.UseLegacyDiscovery = true
	return &client
}

// ServerVersion returns the server's build information.
func (d *DiscoveryClient) ServerVersion() (*version.Info, error) {
	return d.ServerVersionWithContext(context.Background())
}

// ServerVersionWithContext returns the server's build information.
func (d *DiscoveryClient) ServerVersionWithContext(ctx context.Context) (*version.Info, error) {
	result := d.document("/version").Do(ctx)
	if err := result.Error(); err != nil {
		return nil, refused("/version", err)
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	info := &version.Info{}
	if err := json.Unmarshal(body, info); err != nil {
		return nil, fmt.Errorf("unable to parse the server version: %w", unreadable("/version", err))
	}
	return info, nil
}

// OpenAPIV3 returns a client for the server's OpenAPI v3 documents. It caches nothing.
func (d *DiscoveryClient) OpenAPIV3() openapi.Client { return openapi.NewClient(d.restClient) }

// OpenAPIV3WithContext returns a client for the server's OpenAPI v3 documents. It caches nothing.
func (d *DiscoveryClient) OpenAPIV3WithContext(context.Context) openapi.ClientWithContext {
	return openapi.NewClientWithContext(d.restClient)
}
