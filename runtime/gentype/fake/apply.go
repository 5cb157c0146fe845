package fake

import (
	"context"
	"encoding/json"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/testing"
)

// namedObject is an apply configuration. Its zero value stands for none.
type namedObject interface {
	comparable
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
	var zero T
	var none C
	if configuration == none {
		return zero, errors.New("configuration provided to Apply must not be nil")
	}
	name := configuration.GetName()
	if name == nil {
		return zero, errors.New("configuration.Name must be provided to Apply")
	}
	data, err := json.Marshal(configuration)
	if err != nil {
		return zero, err
	}
	return a.client.invoke(testing.NewPatchSubresourceActionWithOptions(
		a.client.resource, a.client.ns, *name, types.ApplyPatchType, data, opts.ToPatchOptions(), subresources...))
}
