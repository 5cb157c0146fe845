package rest

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// target contains the parts of a request's path:
//
//	prefix/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE/SUFFIX
//
// All parts except the prefix are optional.
type target struct {
	prefix       string
	namespace    string
	namespaceSet bool // even if it was set to ""
	resource     string
	name         string
	subresource  string
	suffix       string
}

// path returns the path. A trailing slash of the prefix is kept if nothing follows.
func (t *target) path() string {
	namespaces := ""
	if t.namespace != "" {
		namespaces = "namespaces"
	}
	if namespaces == "" && t.resource == "" && t.name == "" && t.subresource == "" && t.suffix == "" {
		return t.prefix
	}
	return path.Join(t.prefix, namespaces, t.namespace, strings.ToLower(t.resource), t.name, t.subresource, t.suffix)
}

// Prefix appends segments to the part of the path that precedes namespace, resource and name. Segments must not
// be "." or "..", also between slashes: the request would reach another path than its verb and resource
// suggest.
func (r *Request) Prefix(segments ...string) *Request {
	if r.err == nil && r.checkSegments("prefix", segments) {
		r.prefix = path.Join(r.prefix, path.Join(segments...))
	}
	return r
}

// Suffix appends segments to the end of the path. Segments must not be "." or "..", see [Request.Prefix].
func (r *Request) Suffix(segments ...string) *Request {
	if r.err == nil && r.checkSegments("suffix", segments) {
		r.suffix = path.Join(r.suffix, path.Join(segments...))
	}
	return r
}

// AbsPath replaces the part of the path that precedes namespace, resource and name, except the path of the
// server's URL. A trailing slash of a single segment is kept. Segments must not be "." or "..", see
// [Request.Prefix].
func (r *Request) AbsPath(segments ...string) *Request {
	if r.err != nil || !r.checkSegments("path", segments) {
		return r
	}
	base := r.c.basePath()
	r.prefix = path.Join(base, path.Join(segments...))
	if len(segments) == 1 && (len(base) > 1 || len(segments[0]) > 1) && strings.HasSuffix(segments[0], "/") {
		r.prefix += "/"
	}
	return r
}

// checkSegments reports whether no segment, which may contain slashes, is "." or "..".
func (r *Request) checkSegments(what string, segments []string) bool {
	for _, s := range segments {
		for part := range strings.SplitSeq(s, "/") {
			if slices.Contains(NameMayNotBe, part) {
				r.fail("invalid %s %q: no segment may be '%s'", what, s, part)
				return false
			}
		}
	}
	return true
}

// RequestURI sets the path, as AbsPath does, and replaces all parameters by those of a URI.
func (r *Request) RequestURI(uri string) *Request {
	if r.err != nil {
		return r
	}
	locator, err := url.Parse(uri)
	if err != nil {
		r.err = err
		return r
	}
	if r.AbsPath(locator.Path); r.err == nil {
		r.params = locator.Query()
	}
	return r
}

// Resource sets the resource. It can be set once.
func (r *Request) Resource(resource string) *Request {
	if r.err != nil {
		return r
	}
	if r.resource != "" {
		return r.fail("resource already set to %q, cannot change to %q", r.resource, resource)
	}
	if reasons := IsValidPathSegmentName(resource); len(reasons) != 0 {
		return r.fail("invalid resource %q: %v", resource, reasons)
	}
	r.resource = resource
	return r
}

// Namespace sets the namespace. It can be set once; "" means all namespaces.
func (r *Request) Namespace(namespace string) *Request {
	if r.err != nil {
		return r
	}
	if r.namespaceSet {
		return r.fail("namespace already set to %q, cannot change to %q", r.namespace, namespace)
	}
	if reasons := IsValidPathSegmentName(namespace); len(reasons) != 0 {
		return r.fail("invalid namespace %q: %v", namespace, reasons)
	}
	r.namespaceSet = true
	r.namespace = namespace
	return r
}

// NamespaceIfScoped calls [Request.Namespace] if scoped is true.
func (r *Request) NamespaceIfScoped(namespace string, scoped bool) *Request {
	if scoped {
		return r.Namespace(namespace)
	}
	return r
}

// Name sets the name of an object. It can be set once, and not to "".
func (r *Request) Name(resourceName string) *Request {
	if r.err != nil {
		return r
	}
	if resourceName == "" {
		return r.fail("resource name may not be empty")
	}
	if r.name != "" {
		return r.fail("resource name already set to %q, cannot change to %q", r.name, resourceName)
	}
	if reasons := IsValidPathSegmentName(resourceName); len(reasons) != 0 {
		return r.fail("invalid resource name %q: %v", resourceName, reasons)
	}
	r.name = resourceName
	return r
}

// SubResource sets the subresource, which may consist of several segments. It can be set once.
func (r *Request) SubResource(subresources ...string) *Request {
	if r.err != nil {
		return r
	}
	subresource := path.Join(subresources...)
	if r.subresource != "" {
		return r.fail("subresource already set to %q, cannot change to %q", r.subresource, subresource)
	}
	for _, s := range subresources {
		if reasons := IsValidPathSegmentName(s); len(reasons) != 0 {
			return r.fail("invalid subresource %q: %v", s, reasons)
		}
	}
	r.subresource = subresource
	return r
}
