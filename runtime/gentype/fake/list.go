package fake

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/testing"
)

// FakeClientWithList is a FakeClient that also lists.
type FakeClientWithList[T objectWithMeta, L runtime.Object] struct { //nolint:revive // the name is client-go's
	*FakeClient[T]
	alsoFakeLister[T, L]
}

// NewFakeClientWithList is [NewFakeClient] with lists. emptyListCreator creates them and the
// functions after it access them: listMetaCopier copies the metadata from its second argument to
// its first.
func NewFakeClientWithList[T objectWithMeta, L runtime.Object](
	fake *testing.Fake, namespace string, resource schema.GroupVersionResource, kind schema.GroupVersionKind, emptyObjectCreator func() T,
	emptyListCreator func() L, listMetaCopier func(L, L), itemGetter func(L) []T, itemSetter func(L, []T),
) *FakeClientWithList[T, L] {
	client := NewFakeClient(fake, namespace, resource, kind, emptyObjectCreator)
	return &FakeClientWithList[T, L]{
		client,
		alsoFakeLister[T, L]{client, emptyListCreator, listMetaCopier, itemGetter, itemSetter},
	}
}

// alsoFakeLister is the part of a client that lists.
type alsoFakeLister[T objectWithMeta, L runtime.Object] struct {
	client       *FakeClient[T]
	newList      func() L
	copyListMeta func(L, L)
	getItems     func(L) []T
	setItems     func(L, []T)
}

// List returns the objects that opts selects. The objects that reactors return, even beside an
// error, are filtered by the label selector. A selector that cannot be parsed is an error, and the
// call is not recorded.
func (l *alsoFakeLister[T, L]) List(_ context.Context, opts metav1.ListOptions) (L, error) {
	empty := l.newList()
	selector, err := parsed(opts)
	if err != nil {
		return empty, err
	}
	all, err := Invoke(l.client, testing.NewListActionWithOptions(l.client.resource, l.client.kind, l.client.ns, opts), empty)
	list := l.newList()
	l.copyListMeta(list, all)
	var items []T
	for _, item := range l.getItems(all) {
		if selector.Matches(labels.Set(item.GetLabels())) {
			items = append(items, item)
		}
	}
	l.setItems(list, items)
	return list, err
}

// parsed returns the label selector of opts, or the error of a server if one of the selectors
// cannot be parsed.
func parsed(opts metav1.ListOptions) (labels.Selector, error) {
	selector, err := labels.Parse(opts.LabelSelector)
	if err == nil {
		_, err = fields.ParseSelector(opts.FieldSelector)
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return selector, nil
}

// DeleteCollection deletes the objects that listOpts selects. Selectors are treated as in List.
func (l *alsoFakeLister[T, L]) DeleteCollection(_ context.Context, opts metav1.DeleteOptions, listOpts metav1.ListOptions) error {
	if _, err := parsed(listOpts); err != nil {
		return err
	}
	_, err := l.client.Invokes(testing.NewDeleteCollectionActionWithOptions(l.client.resource, l.client.ns, opts, listOpts), l.newList())
	return err
}

// ToPointerSlice returns pointers to the items of src, which it shares. It returns nil if src is
// nil.
func ToPointerSlice[T any](src []T) []*T {
	if src == nil {
		return nil
	}
	result := make([]*T, len(src))
	for i := range src {
		result[i] = &src[i]
	}
	return result
}

// FromPointerSlice returns shallow copies of the values that src points to. It returns nil if src
// is nil.
func FromPointerSlice[T any](src []*T) []T {
	if src == nil {
		return nil
	}
	result := make([]T, len(src))
	for i := range src {
		result[i] = *src[i]
	}
	return result
}
