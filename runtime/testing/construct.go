package testing

import (
	"path"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// For each verb one constructor takes all arguments, and the others call it: those named Root have
// no namespace, those without Subresource no subresource, those without WithOptions zero options.

func action(verb string, resource schema.GroupVersionResource, namespace, subresource string) ActionImpl {
	return ActionImpl{Verb: verb, Resource: resource, Namespace: namespace, Subresource: subresource}
}

// NewRootGetAction returns the action of reading a cluster-scoped object.
func NewRootGetAction(resource schema.GroupVersionResource, name string) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, "", "", name, metav1.GetOptions{})
}

// NewRootGetActionWithOptions is NewRootGetAction with options.
func NewRootGetActionWithOptions(resource schema.GroupVersionResource, name string, opts metav1.GetOptions) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, "", "", name, opts)
}

// NewGetAction returns the action of reading an object.
func NewGetAction(resource schema.GroupVersionResource, namespace, name string) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, namespace, "", name, metav1.GetOptions{})
}

// NewGetActionWithOptions is NewGetAction with options.
func NewGetActionWithOptions(resource schema.GroupVersionResource, namespace, name string, opts metav1.GetOptions) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, namespace, "", name, opts)
}

// NewGetSubresourceAction returns the action of reading a subresource.
func NewGetSubresourceAction(resource schema.GroupVersionResource, namespace, subresource, name string) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, namespace, subresource, name, metav1.GetOptions{})
}

// NewGetSubresourceActionWithOptions is NewGetSubresourceAction with options.
func NewGetSubresourceActionWithOptions(resource schema.GroupVersionResource, namespace, subresource, name string, opts metav1.GetOptions) GetActionImpl {
	return GetActionImpl{ActionImpl: action("get", resource, namespace, subresource), Name: name, GetOptions: opts}
}

// NewRootGetSubresourceAction returns the action of reading a subresource of a
// cluster-scoped object.
func NewRootGetSubresourceAction(resource schema.GroupVersionResource, subresource, name string) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, "", subresource, name, metav1.GetOptions{})
}

// NewRootGetSubresourceActionWithOptions is NewRootGetSubresourceAction with
// options.
func NewRootGetSubresourceActionWithOptions(resource schema.GroupVersionResource, subresource, name string, opts metav1.GetOptions) GetActionImpl {
	return NewGetSubresourceActionWithOptions(resource, "", subresource, name, opts)
}

// NewRootListAction is NewListAction for a cluster-scoped resource.
func NewRootListAction(resource schema.GroupVersionResource, kind schema.GroupVersionKind, opts any) ListActionImpl {
	return NewListAction(resource, kind, "", opts)
}

// NewRootListActionWithOptions is NewListAction for a cluster-scoped resource: like that, it
// retains only the selectors of the options.
func NewRootListActionWithOptions(resource schema.GroupVersionResource, kind schema.GroupVersionKind, opts metav1.ListOptions) ListActionImpl {
	return NewListAction(resource, kind, "", opts)
}

// NewListAction returns the action of listing objects. It retains only the selectors of opts, a
// metav1.ListOptions, in their normal form.
func NewListAction(resource schema.GroupVersionResource, kind schema.GroupVersionKind, namespace string, opts any) ListActionImpl {
	return NewListActionWithOptions(resource, kind, namespace, onlySelectors(opts))
}

// NewListActionWithOptions returns the action of listing objects, with options.
func NewListActionWithOptions(resource schema.GroupVersionResource, kind schema.GroupVersionKind, namespace string, opts metav1.ListOptions) ListActionImpl {
	return ListActionImpl{
		ActionImpl:       action("list", resource, namespace, ""),
		Kind:             kind,
		ListRestrictions: restrictions(opts),
		ListOptions:      opts,
	}
}

// NewRootCreateAction returns the action of creating a cluster-scoped object.
func NewRootCreateAction(resource schema.GroupVersionResource, object runtime.Object) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, "", "", "", object, metav1.CreateOptions{})
}

// NewRootCreateActionWithOptions is NewRootCreateAction with options.
func NewRootCreateActionWithOptions(resource schema.GroupVersionResource, object runtime.Object, opts metav1.CreateOptions) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, "", "", "", object, opts)
}

// NewCreateAction returns the action of creating an object.
func NewCreateAction(resource schema.GroupVersionResource, namespace string, object runtime.Object) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, "", "", namespace, object, metav1.CreateOptions{})
}

// NewCreateActionWithOptions is NewCreateAction with options.
func NewCreateActionWithOptions(resource schema.GroupVersionResource, namespace string, object runtime.Object, opts metav1.CreateOptions) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, "", "", namespace, object, opts)
}

// NewRootCreateSubresourceAction returns the action of creating a subresource of a cluster-scoped
// object with the given name.
func NewRootCreateSubresourceAction(resource schema.GroupVersionResource, name, subresource string, object runtime.Object) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, name, subresource, "", object, metav1.CreateOptions{})
}

// NewRootCreateSubresourceActionWithOptions is NewRootCreateSubresourceAction with
// options.
func NewRootCreateSubresourceActionWithOptions(resource schema.GroupVersionResource, name, subresource string, object runtime.Object, opts metav1.CreateOptions) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, name, subresource, "", object, opts)
}

// NewCreateSubresourceAction returns the action of creating a subresource of the object with the
// given name.
func NewCreateSubresourceAction(resource schema.GroupVersionResource, name, subresource, namespace string, object runtime.Object) CreateActionImpl {
	return NewCreateSubresourceActionWithOptions(resource, name, subresource, namespace, object, metav1.CreateOptions{})
}

// NewCreateSubresourceActionWithOptions is NewCreateSubresourceAction with options.
func NewCreateSubresourceActionWithOptions(resource schema.GroupVersionResource, name, subresource, namespace string, object runtime.Object, opts metav1.CreateOptions) CreateActionImpl {
	return CreateActionImpl{
		ActionImpl:    action("create", resource, namespace, subresource),
		Name:          name,
		Object:        object,
		CreateOptions: opts,
	}
}

// NewRootUpdateAction returns the action of replacing a cluster-scoped object.
func NewRootUpdateAction(resource schema.GroupVersionResource, object runtime.Object) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, "", "", object, metav1.UpdateOptions{})
}

// NewRootUpdateActionWithOptions is NewRootUpdateAction with options.
func NewRootUpdateActionWithOptions(resource schema.GroupVersionResource, object runtime.Object, opts metav1.UpdateOptions) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, "", "", object, opts)
}

// NewUpdateAction returns the action of replacing an object.
func NewUpdateAction(resource schema.GroupVersionResource, namespace string, object runtime.Object) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, "", namespace, object, metav1.UpdateOptions{})
}

// NewUpdateActionWithOptions is NewUpdateAction with options.
func NewUpdateActionWithOptions(resource schema.GroupVersionResource, namespace string, object runtime.Object, opts metav1.UpdateOptions) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, "", namespace, object, opts)
}

// NewRootPatchAction returns the action of patching a cluster-scoped object.
func NewRootPatchAction(resource schema.GroupVersionResource, name string, pt types.PatchType, patch []byte) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, "", name, pt, patch, metav1.PatchOptions{})
}

// NewRootPatchActionWithOptions is NewRootPatchAction with options.
func NewRootPatchActionWithOptions(resource schema.GroupVersionResource, name string, pt types.PatchType, patch []byte, opts metav1.PatchOptions) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, "", name, pt, patch, opts)
}

// NewPatchAction returns the action of patching an object.
func NewPatchAction(resource schema.GroupVersionResource, namespace string, name string, pt types.PatchType, patch []byte) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, namespace, name, pt, patch, metav1.PatchOptions{})
}

// NewPatchActionWithOptions is NewPatchAction with options.
func NewPatchActionWithOptions(resource schema.GroupVersionResource, namespace string, name string, pt types.PatchType, patch []byte, opts metav1.PatchOptions) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, namespace, name, pt, patch, opts)
}

// NewRootPatchSubresourceAction returns the action of patching a subresource of a
// cluster-scoped object. The subresources are joined to one path.
func NewRootPatchSubresourceAction(resource schema.GroupVersionResource, name string, pt types.PatchType, patch []byte, subresources ...string) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, "", name, pt, patch, metav1.PatchOptions{}, subresources...)
}

// NewRootPatchSubresourceActionWithOptions is NewRootPatchSubresourceAction with
// options.
func NewRootPatchSubresourceActionWithOptions(resource schema.GroupVersionResource, name string, pt types.PatchType, patch []byte, opts metav1.PatchOptions, subresources ...string) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, "", name, pt, patch, opts, subresources...)
}

// NewPatchSubresourceAction returns the action of patching a subresource. The
// subresources are joined to one path.
func NewPatchSubresourceAction(resource schema.GroupVersionResource, namespace, name string, pt types.PatchType, patch []byte, subresources ...string) PatchActionImpl {
	return NewPatchSubresourceActionWithOptions(resource, namespace, name, pt, patch, metav1.PatchOptions{}, subresources...)
}

// NewPatchSubresourceActionWithOptions is NewPatchSubresourceAction with options.
func NewPatchSubresourceActionWithOptions(resource schema.GroupVersionResource, namespace, name string, pt types.PatchType, patch []byte, opts metav1.PatchOptions, subresources ...string) PatchActionImpl {
	return PatchActionImpl{
		ActionImpl:   action("patch", resource, namespace, path.Join(subresources...)),
		Name:         name,
		PatchType:    pt,
		Patch:        patch,
		PatchOptions: opts,
	}
}

// NewRootUpdateSubresourceAction returns the action of replacing a subresource of a
// cluster-scoped object.
func NewRootUpdateSubresourceAction(resource schema.GroupVersionResource, subresource string, object runtime.Object) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, subresource, "", object, metav1.UpdateOptions{})
}

// NewRootUpdateSubresourceActionWithOptions is NewRootUpdateSubresourceAction with
// options.
func NewRootUpdateSubresourceActionWithOptions(resource schema.GroupVersionResource, subresource string, object runtime.Object, opts metav1.UpdateOptions) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, subresource, "", object, opts)
}

// NewUpdateSubresourceAction returns the action of replacing a subresource.
func NewUpdateSubresourceAction(resource schema.GroupVersionResource, subresource string, namespace string, object runtime.Object) UpdateActionImpl {
	return NewUpdateSubresourceActionWithOptions(resource, subresource, namespace, object, metav1.UpdateOptions{})
}

// NewUpdateSubresourceActionWithOptions is NewUpdateSubresourceAction with options.
func NewUpdateSubresourceActionWithOptions(resource schema.GroupVersionResource, subresource string, namespace string, object runtime.Object, opts metav1.UpdateOptions) UpdateActionImpl {
	return UpdateActionImpl{
		ActionImpl:    action("update", resource, namespace, subresource),
		Object:        object,
		UpdateOptions: opts,
	}
}

// NewRootDeleteAction returns the action of deleting a cluster-scoped object.
func NewRootDeleteAction(resource schema.GroupVersionResource, name string) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, "", "", name, metav1.DeleteOptions{})
}

// NewRootDeleteActionWithOptions is NewRootDeleteAction with options.
func NewRootDeleteActionWithOptions(resource schema.GroupVersionResource, name string, opts metav1.DeleteOptions) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, "", "", name, opts)
}

// NewRootDeleteSubresourceAction returns the action of deleting a subresource of a
// cluster-scoped object.
func NewRootDeleteSubresourceAction(resource schema.GroupVersionResource, subresource string, name string) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, subresource, "", name, metav1.DeleteOptions{})
}

// NewRootDeleteSubresourceActionWithOptions is NewRootDeleteSubresourceAction with
// options.
func NewRootDeleteSubresourceActionWithOptions(resource schema.GroupVersionResource, subresource string, name string, opts metav1.DeleteOptions) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, subresource, "", name, opts)
}

// NewDeleteAction returns the action of deleting an object.
func NewDeleteAction(resource schema.GroupVersionResource, namespace, name string) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, "", namespace, name, metav1.DeleteOptions{})
}

// NewDeleteActionWithOptions is NewDeleteAction with options.
func NewDeleteActionWithOptions(resource schema.GroupVersionResource, namespace, name string, opts metav1.DeleteOptions) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, "", namespace, name, opts)
}

// NewDeleteSubresourceAction returns the action of deleting a subresource.
func NewDeleteSubresourceAction(resource schema.GroupVersionResource, subresource, namespace, name string) DeleteActionImpl {
	return NewDeleteSubresourceActionWithOptions(resource, subresource, namespace, name, metav1.DeleteOptions{})
}

// NewDeleteSubresourceActionWithOptions is NewDeleteSubresourceAction with options.
func NewDeleteSubresourceActionWithOptions(resource schema.GroupVersionResource, subresource, namespace, name string, opts metav1.DeleteOptions) DeleteActionImpl {
	return DeleteActionImpl{
		ActionImpl:    action("delete", resource, namespace, subresource),
		Name:          name,
		DeleteOptions: opts,
	}
}

// NewRootDeleteCollectionAction is NewDeleteCollectionAction for a cluster-scoped
// resource.
func NewRootDeleteCollectionAction(resource schema.GroupVersionResource, opts any) DeleteCollectionActionImpl {
	return NewDeleteCollectionAction(resource, "", opts)
}

// NewRootDeleteCollectionActionWithOptions is NewDeleteCollectionActionWithOptions
// for a cluster-scoped resource.
func NewRootDeleteCollectionActionWithOptions(resource schema.GroupVersionResource, deleteOpts metav1.DeleteOptions, listOpts metav1.ListOptions) DeleteCollectionActionImpl {
	return NewDeleteCollectionActionWithOptions(resource, "", deleteOpts, listOpts)
}

// NewDeleteCollectionAction returns the action of deleting the objects that opts, a
// metav1.ListOptions, selects.
func NewDeleteCollectionAction(resource schema.GroupVersionResource, namespace string, opts any) DeleteCollectionActionImpl {
	return NewDeleteCollectionActionWithOptions(resource, namespace, metav1.DeleteOptions{}, listOptions(opts))
}

// NewDeleteCollectionActionWithOptions returns the action of deleting the objects
// that listOpts selects.
func NewDeleteCollectionActionWithOptions(resource schema.GroupVersionResource, namespace string, deleteOpts metav1.DeleteOptions, listOpts metav1.ListOptions) DeleteCollectionActionImpl {
	return DeleteCollectionActionImpl{
		ActionImpl:       action("delete-collection", resource, namespace, ""),
		ListRestrictions: restrictions(listOpts),
		DeleteOptions:    deleteOpts,
		ListOptions:      listOpts,
	}
}

// NewRootWatchAction is NewWatchAction for a cluster-scoped resource.
func NewRootWatchAction(resource schema.GroupVersionResource, opts any) WatchActionImpl {
	return NewWatchAction(resource, "", opts)
}

// NewRootWatchActionWithOptions is NewWatchActionWithOptions for a cluster-scoped
// resource.
func NewRootWatchActionWithOptions(resource schema.GroupVersionResource, opts metav1.ListOptions) WatchActionImpl {
	return NewWatchActionWithOptions(resource, "", opts)
}

// NewWatchAction returns the action of watching the objects that opts, a
// metav1.ListOptions, selects.
func NewWatchAction(resource schema.GroupVersionResource, namespace string, opts any) WatchActionImpl {
	return NewWatchActionWithOptions(resource, namespace, listOptions(opts))
}

// NewWatchActionWithOptions returns the action of watching the objects that opts
// selects.
func NewWatchActionWithOptions(resource schema.GroupVersionResource, namespace string, opts metav1.ListOptions) WatchActionImpl {
	selected := restrictions(opts)
	return WatchActionImpl{
		ActionImpl: action("watch", resource, namespace, ""),
		WatchRestrictions: WatchRestrictions{
			Labels:          selected.Labels,
			Fields:          selected.Fields,
			ResourceVersion: opts.ResourceVersion,
		},
		ListOptions: opts,
	}
}

// NewProxyGetAction returns the action of a GET through a proxy.
func NewProxyGetAction(resource schema.GroupVersionResource, namespace, scheme, name, port, path string, params map[string]string) ProxyGetActionImpl {
	return ProxyGetActionImpl{
		ActionImpl: action("get", resource, namespace, ""),
		Scheme:     scheme,
		Name:       name,
		Port:       port,
		Path:       path,
		Params:     params,
	}
}
