package rest

import (
	"maps"
	"net/url"
	"path"
	"strings"
)

// URL returns the current URL of the request. It is meaningful only if [Request.Error] is nil. The caller owns
// it.
func (r *Request) URL() *url.URL { return r.urlWith(r.params) }

func (r *Request) urlWith(params url.Values) *url.URL {
	u := &url.URL{}
	if r.c.base != nil {
		*u = *r.c.base
	}
	u.Path = r.path()
	if r.timeout != 0 {
		params = maps.Clone(params)
		if params == nil {
			params = url.Values{}
		}
		params.Set("timeout", r.timeout.String())
	}
	u.RawQuery = params.Encode()
	return u
}

// urlTemplate returns the URL with placeholders for the parts that differ between requests, which keeps the
// number of metrics small: {name}, {namespace}, and {value} for parameters. The path of an API that is not
// below /api or /apis is {prefix}. The template has no userinfo.
func (r *Request) urlTemplate() url.URL {
	params := make(url.Values, len(r.params))
	for name := range r.params {
		params[name] = []string{"{value}"}
	}
	u := r.urlWith(params)
	u.User = nil

	base, rest := "", u.Path
	below := r.c.base != nil && strings.Contains(u.Path, r.c.base.Path)
	if below {
		base = r.c.base.Path
		rest = strings.TrimPrefix(rest, base)
	}
	segments := strings.Split(strings.TrimPrefix(rest, "/"), "/")
	if len(segments) < 2 {
		return *u
	}

	var resource []string // the part after the version: namespaces, resource, name, subresource
	switch {
	case below && segments[0] == "api":
		resource = from(segments, 2)
	case below && segments[0] == "apis":
		resource = from(segments, 3)
	default:
		u.Path = "/{prefix}"
		u.RawQuery = ""
		return *u
	}
	switch n := len(resource); {
	case n == 2: // resource/name
		resource[1] = "{name}"
	case n == 3 && isObjectsOwn(resource[2]): // resource/name/subresource
		resource[1] = "{name}"
	case n == 3: // namespaces/namespace/resource
		resource[1] = "{namespace}"
	case n > 3: // namespaces/namespace/resource/name
		resource[1] = "{namespace}"
		if !isObjectsOwn(resource[3]) {
			resource[3] = "{name}"
		}
	}
	u.Path = path.Join(base, path.Join(segments...))
	return *u
}

// from returns the segments after the first n.
func from(segments []string, n int) []string { return segments[min(n, len(segments)):] }

// isObjectsOwn reports whether a segment is a subresource of namespaces, so that the segment before it is a
// name.
func isObjectsOwn(segment string) bool { return segment == "finalize" || segment == "status" }
