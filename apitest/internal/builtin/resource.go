package builtin

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/codec"
	"github.com/listwatch/listwatch/apitest/internal/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// minRequestTimeout is the minimum duration of a watch that does not set one.
const minRequestTimeout = 30 * time.Minute

// The release for which kinds are reported as deprecated.
const major, minor = 1, 37

// A resource is a resource in one version.
type resource struct {
	def       *catalog.Definition
	admission admission.Interface
	warning   string
	endpoints map[string]*endpoint // by subresource, "" for the resource
}

// An endpoint is a resource or one of its subresources.
type endpoint struct {
	scope   *handlers.RequestScope
	storage rest.Storage
	verbs   []string
}

// build builds a resource.
func (r *Resources) build(def *catalog.Definition) (*resource, error) {
	st, err := r.storage(def)
	if err != nil {
		return nil, err
	}
	res := &resource{def: def, admission: r.admission, endpoints: map[string]*endpoint{}}
	obj, err := r.options.Scheme.New(def.Kind)
	if err != nil {
		return nil, err
	}
	obj.GetObjectKind().SetGroupVersionKind(def.Kind)
	if def.Known && deprecation.IsDeprecated(obj, major, minor) {
		res.warning = deprecation.WarningMessage(obj)
	}
	res.endpoints[""], err = r.endpoint(def, st, "", def.Kind, def.Verbs)
	if err != nil {
		return nil, err
	}
	for _, sub := range def.Subresources {
		kind := def.SubresourceKind(sub)
		res.endpoints[sub.Subresource], err = r.endpoint(def, st, sub.Subresource, kind, sub.Verbs)
		if err != nil {
			return nil, err
		}
	}
	return res, nil
}

func (r *Resources) endpoint(def *catalog.Definition, st *stored, sub string, kind schema.GroupVersionKind, verbs []string) (*endpoint, error) {
	hub := st.hub.GVR.GroupVersion()
	if kind.GroupKind() != def.Kind.GroupKind() && sub != "" {
		hub = kind.GroupVersion() // the object has another kind, which is not converted
	}
	scope := &handlers.RequestScope{
		Namer:                    handlers.ContextBasedNaming{Namer: meta.NewAccessor(), ClusterScoped: !def.Namespaced()},
		Serializer:               r.codecs,
		ParameterCodec:           r.codecs.Params,
		Creater:                  r.options.Scheme, //nolint:misspell // upstream's name
		Convertor:                r.codecs.Convertor,
		Defaulter:                r.codecs.Defaulter,
		Typer:                    r.options.Scheme,
		UnsafeConvertor:          r.codecs.Convertor,
		Authorizer:               r.permissions,
		EquivalentResourceMapper: runtime.NewEquivalentResourceRegistry(),
		Resource:                 def.GVR,
		Subresource:              sub,
		Kind:                     kind,
		HubGroupVersion:          hub,
		MetaGroupVersion:         metaVersion,
		MaxRequestBodyBytes:      maxRequestBodyBytes,
	}
	if def.Known {
		scope.Serializer = codec.Strict{Codecs: r.codecs}
	}
	storage := st.rest[sub]
	scope.TableConvertor, _ = storage.(rest.TableConvertor)
	var reset map[fieldpath.APIVersion]fieldpath.Filter
	if s, ok := storage.(rest.ResetFieldsStrategy); ok {
		reset = fieldpath.NewExcludeFilterSetMap(s.GetResetFields())
	}
	if s, ok := storage.(rest.ResetFieldsFilterStrategy); ok {
		reset = s.GetResetFieldsFilter()
	}
	var err error
	scope.FieldManager, err = managedfields.NewDefaultFieldManager(codec.Merge(def.Known), scope.UnsafeConvertor,
		scope.Defaulter, r.options.Scheme, kind, hub, sub, reset)
	if err != nil {
		return nil, err
	}
	if a, ok := storage.(rest.GroupVersionAcceptor); ok {
		scope.AcceptsGroupVersionDelegate = a
	}
	return &endpoint{scope: scope, storage: storage, verbs: verbs}, nil
}

// handler returns the handler of a request.
func (r *resource) handler(info *request.RequestInfo, req *http.Request) (http.HandlerFunc, error) {
	e, ok := r.endpoints[info.Subresource]
	if !ok {
		return nil, status.NotFound()
	}
	verb := verbOf(info, req)
	if err := r.route(info, verb); err != nil {
		return nil, err
	}
	if verb == "" || !slices.Contains(e.verbs, verb) {
		return nil, status.MethodNotAllowed()
	}
	if verb == "patch" && !patchable(req) {
		return nil, errPatchType
	}
	if err := acceptable(req, e.scope.Serializer, req.Method == http.MethodGet && len(info.Parts) == 1); err != nil {
		return nil, err
	}
	h := e.handler(verb, info, r.admission)
	if h == nil {
		return nil, status.MethodNotAllowed()
	}
	if r.warning == "" {
		return h, nil
	}
	return func(w http.ResponseWriter, req *http.Request) {
		warning.AddWarning(req.Context(), "", r.warning)
		h(w, req)
	}, nil
}

// route returns an error if no path like the request's exists, for the verb or at all.
func (r *resource) route(info *request.RequestInfo, verb string) error {
	inNamespace := info.Namespace != "" && info.Resource != "namespaces"
	parts := len(info.Parts)
	switch {
	case parts > 3, verb == "proxy",
		!r.def.Namespaced() && inNamespace, r.def.Namespaced() && !inNamespace && parts > 1,
		r.def.Namespaced() && !inNamespace && !r.offers("list"), parts == 2 && !r.offers("get"):
		return status.NotFound()
	case r.def.Namespaced() && !inNamespace && verb != "list" && verb != "watch",
		parts == 1 && (verb == "update" || verb == "patch" || verb == "delete"),
		parts == 2 && (verb == "create" || verb == "deletecollection"):
		return status.MethodNotAllowed()
	}
	return nil
}

// offers reports whether the resource itself has a verb: bindings can only be created.
func (r *resource) offers(verb string) bool { return slices.Contains(r.def.Verbs, verb) }

// verbOf returns the verb of a request, or "" if its method has no meaning here.
func verbOf(info *request.RequestInfo, req *http.Request) string {
	switch req.Method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return info.Verb
	}
	return ""
}

// watchPath reports whether the path requests a watch, as in old clients.
func watchPath(info *request.RequestInfo) bool {
	prefix := "/" + info.APIPrefix + "/"
	if info.APIGroup != "" {
		prefix += info.APIGroup + "/"
	}
	return strings.HasPrefix(info.Path, prefix+info.APIVersion+"/watch/")
}

var patchTypes = []string{
	string(types.JSONPatchType),
	string(types.MergePatchType),
	string(types.StrategicMergePatchType),
	string(types.ApplyYAMLPatchType),
}

// patchable reports whether a request has one of the patch types.
func patchable(req *http.Request) bool {
	name, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	return slices.Contains(patchTypes, strings.TrimSpace(name))
}

// errPatchType is the error for an unknown patch type.
var errPatchType = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status:  metav1.StatusFailure,
	Code:    http.StatusUnsupportedMediaType,
	Reason:  metav1.StatusReasonUnsupportedMediaType,
	Message: "415: Unsupported Media Type",
	Details: &metav1.StatusDetails{},
}}

// handler returns the handler of a verb, or nil if the storage does not support it.
func (e *endpoint) handler(verb string, info *request.RequestInfo, admit admission.Interface) http.HandlerFunc {
	switch verb {
	case "get":
		if s, ok := e.storage.(rest.Getter); ok {
			return handlers.GetResource(s, e.scope)
		}
	case "list", "watch":
		l, isLister := e.storage.(rest.Lister)
		w, isWatcher := e.storage.(rest.Watcher)
		if isLister && isWatcher {
			return handlers.ListResource(l, w, e.scope, watchPath(info), minRequestTimeout)
		}
	case "create":
		if s, ok := e.storage.(rest.NamedCreater); ok {
			return handlers.CreateNamedResource(s, e.scope, admit)
		}
		if s, ok := e.storage.(rest.Creater); ok { //nolint:misspell // as above
			return handlers.CreateResource(s, e.scope, admit)
		}
	case "update":
		if s, ok := e.storage.(rest.Updater); ok {
			return handlers.UpdateResource(s, e.scope, admit)
		}
	case "patch":
		if s, ok := e.storage.(rest.Patcher); ok {
			return handlers.PatchResource(s, e.scope, admit, patchTypes)
		}
	case "delete":
		if s, ok := e.storage.(rest.GracefulDeleter); ok {
			return handlers.DeleteResource(s, true, e.scope, admit)
		}
	case "deletecollection":
		if s, ok := e.storage.(rest.CollectionDeleter); ok {
			return handlers.DeleteCollection(s, true, e.scope, admit)
		}
	}
	return nil
}
