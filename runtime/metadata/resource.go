package metadata

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/anyresource"
	"github.com/listwatch/listwatch/runtime/rest"
)

// The Accept headers of requests for the metadata of an object and of a list: in protobuf, in JSON, or the whole
// object in JSON.
var (
	acceptObject = accept("PartialObjectMetadata")
	acceptList   = accept("PartialObjectMetadataList")
)

func accept(kind string) string {
	as := ";as=" + kind + ";g=meta.k8s.io;v=v1,"
	return runtime.ContentTypeProtobuf + as + runtime.ContentTypeJSON + as + runtime.ContentTypeJSON
}

var errNoMetadata = errors.New("object does not appear to match the ObjectMeta schema")

// resourceClient contains the verbs of a resource in a scope.
type resourceClient struct {
	client *rest.RESTClient
	anyresource.Scope
}

// Namespace implements [Getter].
func (c *resourceClient) Namespace(namespace string) ResourceInterface {
	return &resourceClient{c.client, anyresource.Scope{Resource: c.Resource, Namespace: namespace}}
}

// context returns the context of requests for metadata. Annotations of Secrets may repeat what these contain.
func (c *resourceClient) context(ctx context.Context) context.Context {
	if c.Resource.Group == "" && c.Resource.Resource == "secrets" {
		return codec.WithSecrets(ctx)
	}
	return ctx
}

// Delete implements [ResourceInterface].
func (c *resourceClient) Delete(ctx context.Context, name string, opts metav1.DeleteOptions, subresources ...string) error {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return err
	}
	r, err := c.delete(path, opts)
	if err != nil {
		return err
	}
	return r.DoDiscard(ctx)
}

// DeleteCollection implements [ResourceInterface].
func (c *resourceClient) DeleteCollection(ctx context.Context, opts metav1.DeleteOptions, listOptions metav1.ListOptions) error {
	path, err := c.Collection()
	if err != nil {
		return err
	}
	r, err := c.delete(path, opts)
	if err != nil {
		return err
	}
	return anyresource.Params(r, &listOptions).DoDiscard(ctx)
}

// delete returns a DELETE request with opts in JSON: servers do not accept protobuf for custom resources.
func (c *resourceClient) delete(path []string, opts metav1.DeleteOptions) (*rest.Request, error) {
	opts.Kind, opts.APIVersion = "DeleteOptions", "v1"
	body, err := json.Marshal(&opts)
	if err != nil {
		return nil, err
	}
	return c.client.Delete().AbsPath(path...).SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body), nil
}

// Get implements [ResourceInterface].
func (c *resourceClient) Get(ctx context.Context, name string, opts metav1.GetOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return nil, err
	}
	return decoded(c.context(ctx), anyresource.Params(c.client.Get().AbsPath(path...), &opts))
}

// List implements [ResourceInterface].
func (c *resourceClient) List(ctx context.Context, opts metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	list := &metav1.PartialObjectMetadataList{}
	if err := anyresource.Params(c.client.Get().AbsPath(path...).SetHeader("Accept", acceptList), &opts).DoInto(c.context(ctx), list); err != nil {
		return nil, err
	}
	return list, nil
}

// StreamList implements [cache.ListStreamer].
//
// [cache.ListStreamer]: https://pkg.go.dev/github.com/listwatch/listwatch/runtime/cache#ListStreamer
func (c *resourceClient) StreamList(ctx context.Context, opts metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	list := &metav1.PartialObjectMetadataList{}
	newItem := func() runtime.Object { return &metav1.PartialObjectMetadata{} }
	r := anyresource.Params(c.client.Get().AbsPath(path...).SetHeader("Accept", acceptList), &opts)
	if err := r.StreamList(c.context(ctx), list, newItem, each); err != nil {
		return nil, err
	}
	return list, nil
}

// Watch implements [ResourceInterface].
func (c *resourceClient) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	path, err := c.Collection()
	if err != nil {
		return nil, err
	}
	opts.Watch = true
	r := anyresource.Params(c.client.Get().AbsPath(path...).SetHeader("Accept", acceptObject), &opts)
	if opts.TimeoutSeconds != nil {
		r.Timeout(time.Duration(*opts.TimeoutSeconds) * time.Second)
	}
	return r.Watch(c.context(ctx))
}

// Patch implements [ResourceInterface].
func (c *resourceClient) Patch(ctx context.Context, name string, pt types.PatchType, data []byte, opts metav1.PatchOptions, subresources ...string) (*metav1.PartialObjectMetadata, error) {
	path, err := c.Object(name, subresources...)
	if err != nil {
		return nil, err
	}
	return decoded(c.context(ctx), anyresource.Params(c.client.Patch(pt).AbsPath(path...).Body(data), &opts))
}

// decoded sends a request and returns the metadata in the response.
func decoded(ctx context.Context, r *rest.Request) (*metav1.PartialObjectMetadata, error) {
	obj := &metav1.PartialObjectMetadata{}
	if err := r.SetHeader("Accept", acceptObject).DoInto(ctx, obj); err != nil {
		return nil, err
	}
	if obj.UID == "" && obj.CreationTimestamp.IsZero() && obj.Name == "" && obj.GenerateName == "" {
		return nil, errNoMetadata
	}
	return obj, nil
}
