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

// namedObject is an apply configuration. Its zero value stands for none.
type namedObject interface {
	comparable
	GetName() *string
}

// configuration is a namedObject whose constraint is a plain method set, so that the code of
// all pointer types is compiled once.
type configuration interface {
	GetName() *string
}

// FakeClientWithApply is a FakeClient that takes apply configurations too.
type FakeClientWithApply[T objectWithMeta, C namedObject] struct { //nolint:revive // the name is that of client-go
	*FakeClient[T]
	alsoFakeApplier[T, C]
}

// NewFakeClientWithApply returns a fake client that takes apply configurations too.
func NewFakeClientWithApply[T objectWithMeta, C namedObject](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, emptyObjectCreator func() T,
) *FakeClientWithApply[T, C] {
	client := NewFakeClient(fake, namespace, resource, kind, emptyObjectCreator)
	return &FakeClientWithApply[T, C]{client, alsoFakeApplier[T, C]{client}}
}

// FakeClientWithListAndApply is a FakeClient that lists and takes apply
// configurations too.
type FakeClientWithListAndApply[T objectWithMeta, L runtime.Object, C namedObject] struct { //nolint:revive // the name is that of client-go
	*FakeClient[T]
	alsoFakeLister[T, L]
	alsoFakeApplier[T, C]
}

// NewFakeClientWithListAndApply returns a fake client that lists and takes apply
// configurations too. The functions for lists are as in NewFakeClientWithList.
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

// alsoFakeApplier is what apply configurations add to a client.
type alsoFakeApplier[T objectWithMeta, C namedObject] struct {
	client *FakeClient[T]
}

// Apply applies the configuration, which must have a name, and returns the object as
// it is stored.
func (a *alsoFakeApplier[T, C]) Apply(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return a.apply(configuration, opts)
}

// ApplyStatus applies the configuration, which must have a name, to the status of the
// object and returns the object as it is stored.
func (a *alsoFakeApplier[T, C]) ApplyStatus(_ context.Context, configuration C, opts metav1.ApplyOptions) (T, error) {
	return a.apply(configuration, opts, "status")
}

func (a *alsoFakeApplier[T, C]) apply(configuration C, opts metav1.ApplyOptions, subresources ...string) (T, error) {
	return Apply(a.client, configuration, opts, a.client.newObject(), subresources...)
}

// Endpoint is the fake client of one resource: each type of this package, and each that
// embeds one.
type Endpoint interface {
	Invoker
	Resource() schema.GroupVersionResource
	Namespace() string
}

// Apply records that an apply configuration is sent for the object that it names, or for
// a subresource of it, and returns the answer; see [Invoke]. It fails with
// [gentype.ErrNoConfiguration] or [gentype.ErrNoName] where there is nothing to send.
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

// ApplyTo is [Apply] for the object of the given name, whatever the configuration says
// of names.
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
