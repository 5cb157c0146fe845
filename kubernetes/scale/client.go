package scale

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

// NewForConfig returns a client for the server of a config, which is not modified.
func NewForConfig(cfg *rest.Config, mapper PreferredResourceMapper, resolver dynamic.APIPathResolverFunc, scaleKindResolver ScaleKindResolver) (ScalesGetter, error) {
	config := rest.CopyConfig(cfg)
	config.GroupVersion = &schema.GroupVersion{}
	config.NegotiatedSerializer = codecs.WithoutConversion()
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return nil, err
	}
	return New(client, mapper, resolver, scaleKindResolver), nil
}

// New returns a client that sends its requests with baseClient, whose group and version are ignored.
func New(baseClient rest.Interface, mapper PreferredResourceMapper, resolver dynamic.APIPathResolverFunc, scaleKindResolver ScaleKindResolver) ScalesGetter {
	return &client{baseClient, mapper, resolver, scaleKindResolver}
}

type client struct {
	rest   rest.Interface
	mapper PreferredResourceMapper
	path   dynamic.APIPathResolverFunc
	kinds  ScaleKindResolver
}

func (c *client) Scales(namespace string) ScaleInterface { return &scales{c, namespace} }

// preferred completes a resource.
func (c *client) preferred(resource schema.GroupResource) (schema.GroupVersionResource, error) {
	gvr, err := c.mapper.ResourceFor(resource.WithVersion(""))
	if err != nil {
		return gvr, fmt.Errorf("unable to get full preferred group-version-resource for %s: %w", resource, err)
	}
	return gvr, nil
}

// scales are those of a namespace.
type scales struct {
	client    *client
	namespace string
}

func (s *scales) Get(ctx context.Context, resource schema.GroupResource, name string, opts metav1.GetOptions) (*autoscalingv1.Scale, error) {
	gvr, err := s.client.preferred(resource)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, s.client.rest.Get(), gvr, name, &opts)
}

func (s *scales) Update(ctx context.Context, resource schema.GroupResource, scale *autoscalingv1.Scale, opts metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	gvr, err := s.client.preferred(resource)
	if err != nil {
		return nil, err
	}
	kind, err := s.client.kinds.ScaleForResource(gvr)
	if err != nil {
		return nil, fmt.Errorf("could not find proper group-version for scale subresource of %s: %w", gvr, err)
	}
	body, err := encode(scale, kind)
	if err != nil {
		return nil, fmt.Errorf("could not convert scale update to external Scale: %w", err)
	}
	return s.do(ctx, s.client.rest.Put().SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body), gvr, scale.Name, &opts)
}

func (s *scales) Patch(ctx context.Context, gvr schema.GroupVersionResource, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions) (*autoscalingv1.Scale, error) {
	return s.do(ctx, s.client.rest.Patch(pt).Body(data), gvr, name, &opts)
}

// do sends a request for the scale of an object.
func (s *scales) do(ctx context.Context, request *rest.Request, gvr schema.GroupVersionResource, name string, opts runtime.Object) (*autoscalingv1.Scale, error) {
	path := s.client.path(gvr.GroupVersion().WithKind(""))
	if path == "" {
		path = "/api"
	}
	result := request.
		AbsPath(rest.DefaultVersionedAPIPath(path, gvr.GroupVersion())).
		NamespaceIfScoped(s.namespace, s.namespace != "").
		Resource(gvr.Resource).
		Name(name).
		SubResource("scale").
		SpecificallyVersionedParams(opts, parameterCodec, schema.GroupVersion{Version: "v1"}).
		Do(ctx)
	if err := result.Error(); err != nil {
		return nil, err
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	return decode(body)
}
