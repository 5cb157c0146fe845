package openapi

import (
	"maps"
	"path"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// paths describes the paths of a version: for each resource its collection, its objects, their
// subresources, and the deprecated paths of watches.
func paths(gv schema.GroupVersion, resources []apidiscovery.APIResourceDiscovery, models modelNames) map[string]*spec3.Path {
	d := &describer{gv: gv, models: models, out: map[string]*spec3.Path{}}
	d.add("/", operation{method: "get", verb: "get", suffix: "APIResources", about: "get available resources", plain: true,
		result: metaModel("APIResourceList"), codes: []int{200}})
	for _, r := range resources {
		if r.ResponseKind != nil {
			d.resource(r)
		}
	}
	for _, p := range d.out {
		hoist(p)
	}
	return d.out
}

// modelNames returns the name of the model of a kind.
type modelNames func(schema.GroupVersionKind) string

// describer describes the paths of a version.
type describer struct {
	gv     schema.GroupVersion
	models modelNames
	out    map[string]*spec3.Path
}

// operation is what distinguishes an operation from others.
type operation struct {
	method string // of HTTP, in lower case
	verb   string // begins the identifier
	action string // x-kubernetes-action
	suffix string // ends the identifier, after group and version
	about  string // description
	kind   schema.GroupVersionKind
	options
	body   string // model of the request, "" for none
	needed bool   // the body is required
	result string // model of the response
	codes  []int
	plain  bool // has no query and no kind
	stream bool // the response may be a watch
}

func metaModel(name string) string { return "io.k8s.apimachinery.pkg.apis.meta.v1." + name }

func groupPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return path.Join("/api", gv.Version)
	}
	return path.Join("/apis", gv.Group, gv.Version)
}

// kindOf completes the kind of a resource or subresource, whose group and version may be omitted.
func (d *describer) kindOf(k *metav1.GroupVersionKind) schema.GroupVersionKind {
	if k.Group == "" && k.Version == "" {
		return d.gv.WithKind(k.Kind)
	}
	return schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
}

// resource describes the paths of a resource.
func (d *describer) resource(r apidiscovery.APIResourceDiscovery) {
	kind := d.kindOf(r.ResponseKind)
	model := d.models(kind)
	collection, all, scope := "/"+r.Resource, "", ""
	if r.Scope == apidiscovery.ScopeNamespace {
		all, collection, scope = collection, "/namespaces/{namespace}/"+r.Resource, "Namespaced"
	}
	object := collection + "/{name}"
	for _, verb := range r.Verbs {
		o := operation{verb: verb, kind: kind, suffix: scope + kind.Kind, result: model}
		switch verb {
		case "list":
			o.list(model)
			d.add(collection, o)
			if all != "" {
				o.suffix = kind.Kind + "ForAllNamespaces"
				d.add(all, o)
			}
		case "watch":
			o.watchList(scope + kind.Kind + "List")
			d.add("/watch"+collection, o)
			if all != "" {
				o.suffix = kind.Kind + "ListForAllNamespaces"
				d.add("/watch"+all, o)
			}
			if slices.Contains(r.Verbs, "get") {
				o.watchOne(scope + kind.Kind)
				d.add("/watch"+object, o)
			}
		case "deletecollection":
			o.deleteCollection("Collection" + scope + kind.Kind)
			d.add(collection, o)
		case "create":
			o.create("create " + withArticle(kind.Kind))
			d.add(collection, o)
		default:
			if o.single(" the specified "+kind.Kind, returnsDeleted(d.gv.WithResource(r.Resource))) {
				d.add(object, o)
			}
		}
	}
	for _, sub := range r.Subresources {
		d.subresource(object, scope, kind, sub)
	}
}

func (d *describer) subresource(object, scope string, parent schema.GroupVersionKind, sub apidiscovery.APISubresourceDiscovery) {
	if sub.ResponseKind == nil {
		return
	}
	kind := d.kindOf(sub.ResponseKind)
	for _, verb := range sub.Verbs {
		o := operation{verb: verb, kind: kind, suffix: scope + parent.Kind + title(sub.Subresource), result: d.models(kind)}
		if verb == "create" {
			o.create("create " + sub.Subresource + " of " + withArticle(parent.Kind))
		} else if !o.single(" "+sub.Subresource+" of the specified "+parent.Kind, false) {
			continue
		}
		d.add(object+"/"+sub.Subresource, o)
	}
}

func (o *operation) list(model string) {
	o.method, o.action = "get", "list"
	o.about = "list or watch objects of kind " + o.kind.Kind
	o.options, o.result, o.codes, o.stream = listOptions, listOf(model), []int{200}, true
}

func listOf(model string) string {
	if model == "" {
		return ""
	}
	return model + "List"
}

func (o *operation) watchList(suffix string) {
	o.method, o.action, o.suffix = "get", "watchlist", suffix
	o.about = "watch individual changes to a list of " + o.kind.Kind +
		". deprecated: use the 'watch' parameter with a list operation instead."
	o.options, o.result, o.codes, o.stream = listOptions, metaModel("WatchEvent"), []int{200}, true
}

func (o *operation) watchOne(suffix string) {
	o.action, o.suffix = "watch", suffix
	o.about = "watch changes to an object of kind " + o.kind.Kind +
		". deprecated: use the 'watch' parameter with a list operation instead, filtered to a single item with the 'fieldSelector' parameter."
}

func (o *operation) deleteCollection(suffix string) {
	o.method, o.verb, o.action, o.suffix = "delete", "delete", "deletecollection", suffix
	o.about = "delete collection of " + o.kind.Kind
	o.options, o.body = deleteCollectionOptions, metaModel("DeleteOptions")
	o.result, o.codes = metaModel("Status"), []int{200}
}

func (o *operation) create(about string) {
	o.method, o.action, o.about = "post", "post", about
	o.options, o.body, o.needed, o.codes = createOptions, o.result, true, []int{200, 201, 202}
}

// single describes an operation on one object, and reports whether the verb is one.
func (o *operation) single(of string, returnsDeleted bool) bool {
	switch o.verb {
	case "get":
		o.method, o.action, o.verb, o.about, o.codes = "get", "get", "read", "read"+of, []int{200}
	case "update":
		o.method, o.action, o.verb, o.about = "put", "put", "replace", "replace"+of
		o.options, o.body, o.needed, o.codes = updateOptions, o.result, true, []int{200, 201}
	case "patch":
		o.method, o.action, o.about = "patch", "patch", "partially update"+of
		o.options, o.body, o.needed, o.codes = patchOptions, metaModel("Patch"), true, []int{200, 201}
	case "delete":
		o.method, o.action, o.about = "delete", "delete", "delete "+withArticle(o.kind.Kind)
		o.options, o.body, o.codes = deleteOptions, metaModel("DeleteOptions"), []int{200, 202}
		if !returnsDeleted {
			o.result = metaModel("Status")
		}
	default:
		return false
	}
	return true
}

// returnsDeleted reports whether the response to a delete contains the object, not a status.
func returnsDeleted(gvr schema.GroupVersionResource) bool {
	switch gvr.Group {
	case "":
		return slices.Contains([]string{"persistentvolumeclaims", "persistentvolumes", "pods", "podtemplates",
			"resourcequotas", "serviceaccounts", "services"}, gvr.Resource)
	case "storage.k8s.io":
		return gvr.Resource != "csistoragecapacities"
	case "resource.k8s.io":
		return gvr.Resource != "resourcepoolstatusrequests" && (gvr.Resource != "devicetaintrules" || gvr.Version != "v1")
	}
	return false
}

// add adds an operation to a path below the version's.
func (d *describer) add(below string, o operation) {
	full := groupPath(d.gv) + below
	p := d.out[full]
	if p == nil {
		p = &spec3.Path{}
		d.out[full] = p
	}
	op := d.operation(below, o)
	switch o.method {
	case "get":
		p.Get = op
	case "post":
		p.Post = op
	case "put":
		p.Put = op
	case "patch":
		p.Patch = op
	case "delete":
		p.Delete = op
	}
}

func (d *describer) operation(below string, o operation) *spec3.Operation {
	group := identifier(d.gv.Group)
	op := &spec3.Operation{OperationProps: spec3.OperationProps{
		Tags:        []string{group + "_" + d.gv.Version},
		Description: o.about,
		OperationId: o.verb + title(group) + title(d.gv.Version) + o.suffix,
		Responses:   responses(o),
	}}
	if o.body != "" || o.needed {
		op.RequestBody = requestBody(o)
	}
	if o.plain {
		return op
	}
	op.Parameters = parameters(below, o)
	op.AddExtension("x-kubernetes-action", o.action)
	op.AddExtension(kindExtension, map[string]any{"group": o.kind.Group, "version": o.kind.Version, "kind": o.kind.Kind})
	return op
}

const kindExtension = "x-kubernetes-group-version-kind"

// identifier returns a group's part of identifiers: "rbacAuthorization" for
// rbac.authorization.k8s.io.
func identifier(group string) string {
	if group == "" {
		return "core"
	}
	parts := strings.Split(strings.TrimSuffix(group, ".k8s.io"), ".")
	for i := range parts[1:] {
		parts[i+1] = title(parts[i+1])
	}
	return strings.Join(parts, "")
}

func title(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// withArticle returns a kind with its indefinite article, which plurals do not have.
func withArticle(kind string) string {
	switch {
	case strings.HasSuffix(kind, "s") && !strings.HasSuffix(kind, "ss"):
		return kind
	case strings.ContainsRune("AEIOU", rune(kind[0])):
		return "an " + kind
	}
	return "a " + kind
}

// hoist moves the parameters that all operations of a path have to the path.
func hoist(p *spec3.Path) {
	operations := slices.Collect(maps.Values(operationsOf(p)))
	uses := map[string]int{}
	for _, op := range operations {
		for _, param := range op.Parameters {
			uses[parameterKey(param)]++
		}
	}
	for i, op := range operations {
		var own []*spec3.Parameter
		for _, param := range op.Parameters {
			switch {
			case uses[parameterKey(param)] < len(operations):
				own = append(own, param)
			case i == 0:
				p.Parameters = append(p.Parameters, param)
			}
		}
		op.Parameters = own
	}
}

func parameterKey(p *spec3.Parameter) string { return p.In + " " + p.Name + " " + p.Description }

func reference(model string) *spec.Schema {
	if model == "" {
		return &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
	}
	return spec.RefSchema(modelPrefix + model)
}

// encodings are the media types of responses.
var (
	encodings       = []string{"application/json", "application/vnd.kubernetes.protobuf", "application/yaml"}
	streamEncodings = []string{"application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"}
	patchTypes      = []string{"application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json"}
)

func content(model string, types ...string) map[string]*spec3.MediaType {
	out := map[string]*spec3.MediaType{}
	for _, t := range types {
		out[t] = &spec3.MediaType{MediaTypeProps: spec3.MediaTypeProps{Schema: reference(model)}}
	}
	return out
}

func requestBody(o operation) *spec3.RequestBody {
	types := []string{"*/*"}
	if o.method == "patch" {
		types = patchTypes
	}
	return &spec3.RequestBody{RequestBodyProps: spec3.RequestBodyProps{Required: o.needed, Content: content(o.body, types...)}}
}

func responses(o operation) *spec3.Responses {
	types := encodings
	if o.stream {
		types = slices.Concat(encodings, streamEncodings)
	}
	all := map[int]*spec3.Response{401: {ResponseProps: spec3.ResponseProps{Description: "Unauthorized"}}}
	for _, code := range o.codes {
		about := map[int]string{200: "OK", 201: "Created", 202: "Accepted"}[code]
		all[code] = &spec3.Response{ResponseProps: spec3.ResponseProps{Description: about, Content: content(o.result, types...)}}
	}
	return &spec3.Responses{ResponsesProps: spec3.ResponsesProps{StatusCodeResponses: all}}
}
