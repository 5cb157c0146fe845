// Package pager lists in pages, so that neither the server nor the client holds a large list at once.
package pager

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

const (
	defaultPageSize       = 500
	defaultPageBufferSize = 10
)

// ListPageFunc returns a list, or a page of one.
type ListPageFunc func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error)

// SimplePageFunc returns a ListPageFunc that ignores its context.
func SimplePageFunc(fn func(opts metav1.ListOptions) (runtime.Object, error)) ListPageFunc {
	return func(_ context.Context, opts metav1.ListOptions) (runtime.Object, error) { return fn(opts) }
}

// ListPager lists in pages. Its fields must not be changed while it is in use; then it may be used concurrently if
// PageFn may.
type ListPager struct {
	// PageSize is the number of objects in a page, if the options of a list have no limit.
	PageSize int64
	PageFn   ListPageFunc

	// FullListIfExpired makes List request the whole list if the server no longer has the state of the first page
	// when a later one is requested.
	FullListIfExpired bool

	// PageBufferSize is the number of pages that EachListItem requests ahead.
	PageBufferSize int32
}

// New returns a pager with pages of 500 objects, 10 of which are requested ahead, and FullListIfExpired.
func New(fn ListPageFunc) *ListPager {
	return &ListPager{
		PageSize:          defaultPageSize,
		PageFn:            fn,
		FullListIfExpired: true,
		PageBufferSize:    defaultPageBufferSize,
	}
}

// List returns a list that it requests in pages, and whether there were several. If there was one, the list is what
// the server returned, otherwise an *[internalversion.List]. Each object of it keeps all of its page in memory; see
// [ListPager.ListWithAlloc].
func (p *ListPager) List(ctx context.Context, options metav1.ListOptions) (runtime.Object, bool, error) {
	return p.list(ctx, options, meta.EachListItem)
}

// ListWithAlloc is [ListPager.List] with copies of the objects, so that each can be freed alone.
func (p *ListPager) ListWithAlloc(ctx context.Context, options metav1.ListOptions) (runtime.Object, bool, error) {
	return p.list(ctx, options, meta.EachListItemWithAlloc)
}

// each calls a function for each object of a list.
type each func(list runtime.Object, fn func(runtime.Object) error) error

func (p *ListPager) list(ctx context.Context, options metav1.ListOptions, items each) (runtime.Object, bool, error) {
	var all *internalversion.List
	var only runtime.Object
	err := p.pages(ctx, options, func(page runtime.Object, m metav1.ListInterface) error {
		if all == nil && m.GetContinue() == "" {
			only = page
			return nil
		}
		if all == nil {
			all = &internalversion.List{}
			all.ResourceVersion = m.GetResourceVersion()
		}
		return items(page, func(obj runtime.Object) error {
			all.Items = append(all.Items, obj)
			return nil
		})
	})
	paged := all != nil
	if later := paged || options.Continue != ""; p.FullListIfExpired && later && apierrors.IsResourceExpired(err) {
		options.Limit, options.Continue = 0, ""
		var whole runtime.Object
		whole, err = p.PageFn(ctx, options)
		return whole, paged, err
	}
	switch {
	case err != nil:
		return nil, paged, err
	case paged:
		return all, true, nil
	default:
		return only, false, nil
	}
}

// EachListItem calls fn for each object of a list that it requests in pages, some of them ahead. An error of fn ends
// it, and is returned; otherwise the error of a request or of the context is. Each object keeps all of its page in
// memory; see [ListPager.EachListItemWithAlloc].
func (p *ListPager) EachListItem(ctx context.Context, options metav1.ListOptions, fn func(obj runtime.Object) error) error {
	return p.ahead(ctx, options, func(page runtime.Object) error { return meta.EachListItem(page, fn) })
}

// EachListItemWithAlloc is [ListPager.EachListItem] with copies of the objects, so that each can be freed alone.
func (p *ListPager) EachListItemWithAlloc(ctx context.Context, options metav1.ListOptions, fn func(obj runtime.Object) error) error {
	return p.ahead(ctx, options, func(page runtime.Object) error { return meta.EachListItemWithAlloc(page, fn) })
}

// ahead calls fn for each page, while a goroutine requests the next ones.
func (p *ListPager) ahead(ctx context.Context, options metav1.ListOptions, fn func(page runtime.Object) error) error {
	if p.PageBufferSize < 0 {
		return fmt.Errorf("ListPager.PageBufferSize must be >= 0, got %d", p.PageBufferSize)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // the goroutine ends even if it waits for room
	pages := make(chan runtime.Object, p.PageBufferSize)
	ended := make(chan error, 1)
	go func() {
		defer utilruntime.HandleCrashWithContext(ctx)
		var err error
		defer func() {
			close(pages)
			ended <- err
		}()
		err = p.pages(ctx, options, func(page runtime.Object, _ metav1.ListInterface) error {
			select {
			case pages <- page:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	for page := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(page); err != nil {
			return err
		}
	}
	return <-ended
}

// pages calls fn for each page with its metadata.
func (p *ListPager) pages(ctx context.Context, options metav1.ListOptions, fn func(page runtime.Object, m metav1.ListInterface) error) error {
	if options.Limit == 0 {
		options.Limit = p.PageSize
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := p.PageFn(ctx, options)
		if err != nil {
			return err
		}
		m, err := meta.ListAccessor(page)
		if err != nil {
			return fmt.Errorf("returned object must be a list: %w", err)
		}
		if err := fn(page, m); err != nil {
			return err
		}
		if options.Continue = m.GetContinue(); options.Continue == "" {
			return nil
		}
		// The token contains the version; the server rejects both together.
		options.ResourceVersion, options.ResourceVersionMatch = "", ""
	}
}
