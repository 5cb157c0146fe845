package fake

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/testing"
)

// namedObject is an apply configuration. Its zero value means none.
type namedObject interface {
	comparable
	GetName() *string
}

// configuration is a namedObject whose constraint is a plain method set, so that the code of
// all pointer types is compiled once.
type configuration interface {
	GetName() *string
}

// FakeClientWithApply is a FakeClient that also applies.
type FakeClientWithApply[T objectWithMeta, C namedObject] struct { //nolint:revive // the name is client-go's
	*FakeClient[T]
	alsoFakeApplier[T, C]
}

// NewFakeClientWithApply is [NewFakeClient] with server-side apply.
func NewFakeClientWithApply[T objectWithMeta, C namedObject](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, emptyObjectCreator func() T,
) *FakeClientWithApply[T, C] {
	client := NewFakeClient(fake, namespace, resource, kind, emptyObjectCreator)
	return &FakeClientWithApply[T, C]{client, alsoFakeApplier[T, C]{client}}
}

// FakeClientWithListAndApply is a FakeClient that also lists and applies.
type FakeClientWithListAndApply[T objectWithMeta, L runtime.Object, C namedObject] struct { //nolint:revive // the name is client-go's
	*FakeClient[T]
	alsoFakeLister[T, L]
	alsoFakeApplier[T, C]
}

// NewFakeClientWithListAndApply is [NewFakeClientWithList] with server-side apply.
func NewFakeClientWithListAndApply[T objectWithMeta, L runtime.Object, C namedObject](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, emptyObjectCreator func() T,
	emptyListCreator func() L, listMetaCopier func(L, L), itemGetter func(L) []T, itemSetter func(L, []T),
) *FakeClientWithListAndApply[T, L, C] {
	client := NewFakeClientWithList(fake, namespace, resource, kind, emptyObjectCreator, emptyListCreator, listMetaCopier, itemGetter, itemSetter)
	return &FakeClientWithListAndApply[T, L, C]{
		client.FakeClient,
		client.alsoFakeLister,
		alsoFakeApplier[T, C]{client.FakeClient},
	}
}

// alsoFakeApplier is the part of a client that applies.
type alsoFakeApplier[T objectWithMeta, C namedObject] struct {
	client *FakeClient[T]
}

// Apply applies the configuration, which must have a name, and returns the object as stored.
func (a *alsoFakeApplier[T, C]) Apply(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return a.apply(configuration, opts)
}

// ApplyStatus applies the configuration, which must have a name, to the status of the object, and
// returns the object as stored.
func (a *alsoFakeApplier[T, C]) ApplyStatus(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return a.apply(configuration, opts, "status")
}

func (a *alsoFakeApplier[T, C]) apply(configuration C, opts metav1.ApplyOptions, subresources ...string) (T, error) {
	return Apply(a.client, configuration, opts, a.client.newObject(), subresources...)
}

// Endpoint is the fake client of one resource: every type of this package, and every type that
// embeds one.
type Endpoint interface {
	Invoker
	Resource() schema.GroupVersionResource
	Namespace() string
}

// Apply records that an apply configuration is sent for the object that it names, or for a
// subresource of it, and returns the result; see [Invoke]. If there is nothing to send, it returns
// [gentype.ErrNoConfiguration] or [gentype.ErrNoName].
func Apply[C configuration, R runtime.Object](c Endpoint, configuration C, opts metav1.ApplyOptions, empty R, subresources ...string) (R, error) {
	var none C
	var noResult R
	if any(configuration) == any(none) {
		return noResult, gentype.ErrNoConfiguration
	}
	name := configuration.GetName()
	if name == nil {
		return noResult, gentype.ErrNoName
	}
	return ApplyTo(c, *name, configuration, opts, empty, subresources...)
}

// ApplyTo is [Apply] for the object of the given name, regardless of the name in the configuration.
func ApplyTo[C any, R runtime.Object](c Endpoint, name string, configuration C, opts metav1.ApplyOptions, empty R, subresources ...string) (R, error) {
	var none C
	var noResult R
	if any(configuration) == any(none) {
		return noResult, gentype.ErrNoConfiguration
	}
	data, err := json.Marshal(configuration)
	if err != nil {
		return noResult, err
	}
	return Invoke(c, testing.NewPatchSubresourceActionWithOptions(
		c.Resource(), c.Namespace(), name, types.ApplyPatchType, data, opts.ToPatchOptions(), subresources...), empty)
}
