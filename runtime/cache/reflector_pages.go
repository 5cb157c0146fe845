package cache

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// pages lists page by page.
type pages struct {
	lister   ListerWithContext
	streamer ListStreamer // the lister, if it can; nil otherwise

	begin func()                     // is called before the first object, and again if the list starts over
	each  func(runtime.Object) error // is called for every object; an error ends the list
}

// list lists all objects that options select, and returns their resource version and whether there
// was more than one page. After ctx has ended, each is not called.
func (p *pages) list(ctx context.Context, options metav1.ListOptions) (version string, paged bool, err error) {
	first := options
	p.begin()
	for {
		list, err := p.page(ctx, options)
		if err != nil && options.Continue != "" && apierrors.IsResourceExpired(err) {
			// The pages were too slow for the server. List without pages, from the start.
			first.Limit = 0
			options, version = first, ""
			p.begin()
			continue
		}
		if err != nil {
			return "", paged, err
		}
		if version == "" {
			version = list.GetResourceVersion()
		}
		if options.Continue = list.GetContinue(); options.Continue == "" {
			return version, paged, nil
		}
		// The other pages have the same resource version, which must not be sent again.
		options.ResourceVersion = ""
		paged = true
	}
}

// page lists one page.
func (p *pages) page(ctx context.Context, options metav1.ListOptions) (metav1.ListInterface, error) {
	each := func(obj runtime.Object) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return p.each(obj)
	}
	var list runtime.Object
	var err error
	if p.streamer != nil {
		list, err = p.streamer.StreamList(ctx, options, each)
	} else if list, err = p.lister.ListWithContext(ctx, options); err == nil {
		// Items are copied out of the list, so that one does not keep all in memory.
		if err = tableError(list); err == nil {
			err = meta.EachListItemWithAlloc(list, each)
		}
	}
	if err != nil {
		return nil, err
	}
	m, err := meta.ListAccessor(list)
	if err != nil {
		return nil, fmt.Errorf("invalid list: %w", err)
	}
	return m, nil
}

// tableError returns an error if obj is a table, which has rows for display instead of objects.
func tableError(obj runtime.Object) error {
	switch obj.(type) {
	case *unstructured.Unstructured, *unstructured.UnstructuredList:
	default:
		return nil
	}
	gvk := obj.GetObjectKind().GroupVersionKind()
	if gvk.Group == metav1.GroupName && gvk.Kind == "Table" {
		return fmt.Errorf("tables are not supported: got %v", gvk)
	}
	return nil
}
