package custom

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metainternal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

const (
	resourceName = "customresourcedefinitions"
	// manager is the field manager of writes that reconcile CRDs.
	manager = "kube-apiserver"
)

var (
	resource = v1.SchemeGroupVersion.WithResource(resourceName)
	kind     = v1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
)

// definitions serves CRDs. Writes are reconciled before they return.
type definitions struct {
	*customresourcedefinition.REST
	status   *status
	registry *Registry
	scope    *handlers.RequestScope
}

// status serves the statuses of CRDs.
type status struct {
	*customresourcedefinition.StatusREST
	registry *Registry
	scope    *handlers.RequestScope
}

func newDefinitions(r *Registry, storages generic.RESTOptionsGetter) (*definitions, error) {
	store, err := customresourcedefinition.NewREST(apiserver.Scheme, definitionStorages{storages, r})
	if err != nil {
		return nil, err
	}
	d := &definitions{REST: store, registry: r}
	if d.scope, err = newScope(r.options, store, "", store); err != nil {
		return nil, err
	}
	statuses := customresourcedefinition.NewStatusREST(apiserver.Scheme, store)
	d.status = &status{StatusREST: statuses, registry: r}
	if d.status.scope, err = newScope(r.options, store, "status", statuses); err != nil {
		return nil, err
	}
	return d, nil
}

// newScope returns the handlers' request scope for CRDs or one of their subresources.
func newScope(options Options, tables rest.TableConvertor, subresource string, reset rest.ResetFieldsStrategy) (*handlers.RequestScope, error) {
	models, err := loadModels()
	if err != nil {
		return nil, err
	}
	equivalents := runtime.NewEquivalentResourceRegistry()
	equivalents.RegisterKindFor(resource, subresource, kind)
	scope := &handlers.RequestScope{
		Namer:                    handlers.ContextBasedNaming{Namer: meta.NewAccessor(), ClusterScoped: true},
		Serializer:               apiserver.Codecs,
		ParameterCodec:           metav1.ParameterCodec,
		Creater:                  apiserver.Scheme, //nolint:misspell // the field's name
		Convertor:                apiserver.Scheme,
		Defaulter:                apiserver.Scheme,
		Typer:                    apiserver.Scheme,
		UnsafeConvertor:          runtime.UnsafeObjectConvertor(apiserver.Scheme),
		Authorizer:               options.Authorizer,
		EquivalentResourceMapper: equivalents,
		TableConvertor:           tables,
		Resource:                 resource,
		Subresource:              subresource,
		Kind:                     kind,
		HubGroupVersion:          apiextensions.SchemeGroupVersion,
		MetaGroupVersion:         metav1.SchemeGroupVersion,
		MaxRequestBodyBytes:      maxBodyBytes,
	}
	scope.FieldManager, err = managedfields.NewDefaultFieldManager(
		models.types, scope.UnsafeConvertor, scope.Defaulter, apiserver.Scheme, kind, scope.HubGroupVersion,
		subresource, fieldpath.NewExcludeFilterSetMap(reset.GetResetFields()))
	if err != nil {
		return nil, fmt.Errorf("manage fields: %w", err)
	}
	return scope, nil
}

// patchTypes are the media types of the patches that CRDs support.
var patchTypes = []string{
	string(types.JSONPatchType),
	string(types.MergePatchType),
	string(types.StrategicMergePatchType),
	string(types.ApplyYAMLPatchType),
}

func (d *definitions) serve(w http.ResponseWriter, req *http.Request, info *request.RequestInfo) {
	if handler := d.handler(info); handler != nil {
		handler(w, req)
		return
	}
	responsewriters.ErrorNegotiated(
		apierrors.NewGenericServerResponse(http.StatusNotFound, "", schema.GroupResource{}, "", "404: Page Not Found", 0, false),
		apiserver.Codecs, v1.SchemeGroupVersion, w, req)
}

// handler returns the handler of a request, or nil if there is no such resource.
func (d *definitions) handler(info *request.RequestInfo) http.HandlerFunc {
	if info.Resource != resourceName || info.Namespace != "" {
		return nil
	}
	admit := d.registry.options.Admission
	switch info.Subresource {
	case "":
		return d.resourceHandler(info.Verb, admit)
	case "status":
		return d.status.handler(info.Verb, admit)
	}
	return nil
}

func (d *definitions) resourceHandler(verb string, admit admission.Interface) http.HandlerFunc {
	switch verb {
	case "get":
		return handlers.GetResource(d, d.scope)
	case "list":
		return handlers.ListResource(d, d, d.scope, false, minWatchTimeout)
	case "watch":
		return handlers.ListResource(d, d, d.scope, true, minWatchTimeout)
	case "create":
		return handlers.CreateResource(d, d.scope, admit)
	case "update":
		return handlers.UpdateResource(d, d.scope, admit)
	case "patch":
		return handlers.PatchResource(d, d.scope, admit, patchTypes)
	case "delete":
		return handlers.DeleteResource(d, true, d.scope, admit)
	case "deletecollection":
		return handlers.DeleteCollection(d, true, d.scope, admit)
	}
	return nil
}

func (s *status) handler(verb string, admit admission.Interface) http.HandlerFunc {
	switch verb {
	case "get":
		return handlers.GetResource(s, s.scope)
	case "update":
		return handlers.UpdateResource(s, s.scope, admit)
	case "patch":
		return handlers.PatchResource(s, s.scope, admit, patchTypes)
	}
	return nil
}

// change changes a CRD like the controllers of the real server, through its status.
func (d *definitions) change(ctx context.Context, name string, change change) error {
	transform := func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
		object := old.(*apiextensions.CustomResourceDefinition).DeepCopy()
		change(object)
		return d.status.scope.FieldManager.UpdateNoErrors(old, object, manager), nil
	}
	_, _, err := d.status.StatusREST.Update(ctx, name, rest.DefaultUpdatedObjectInfo(nil, transform),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
	return err
}

func (d *definitions) Create(
	ctx context.Context, object runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (created runtime.Object, err error) {
	err = d.registry.write(ctx, func() error {
		created, err = d.REST.Create(ctx, object, validate, options)
		return err
	})
	return created, err
}

func (d *definitions) Update(
	ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, forceCreate bool, options *metav1.UpdateOptions,
) (updated runtime.Object, created bool, err error) {
	err = d.registry.write(ctx, func() error {
		updated, created, err = d.REST.Update(ctx, name, object, create, update, forceCreate, options)
		return err
	})
	return updated, created, err
}

func (d *definitions) Delete(
	ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
) (deleted runtime.Object, now bool, err error) {
	err = d.registry.write(ctx, func() error {
		deleted, now, err = d.REST.Delete(ctx, name, validate, options)
		return err
	})
	return deleted, now, err
}

func (d *definitions) DeleteCollection(
	ctx context.Context, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions, which *metainternal.ListOptions,
) (deleted runtime.Object, err error) {
	err = d.registry.write(ctx, func() error {
		deleted, err = d.REST.DeleteCollection(ctx, validate, options, which)
		return err
	})
	return deleted, err
}

func (s *status) Update(
	ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, forceCreate bool, options *metav1.UpdateOptions,
) (updated runtime.Object, created bool, err error) {
	err = s.registry.write(ctx, func() error {
		updated, created, err = s.StatusREST.Update(ctx, name, object, create, update, forceCreate, options)
		return err
	})
	return updated, created, err
}
