package typed

import (
	"bytes"
	"net/http"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

var infos = request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// ResourceOf returns the resource of a request, or an Inexpressible error with NoResource.
func ResourceOf(r *http.Request) (schema.GroupVersionResource, error) {
	info, err := infoOf(r)
	if err != nil {
		return schema.GroupVersionResource{}, err
	}
	return resourceOf(info), nil
}

func infoOf(r *http.Request) (*request.RequestInfo, error) {
	info, err := infos.NewRequestInfo(r)
	if err != nil {
		return nil, inexpressible(NoResource, "%v", err)
	}
	if !info.IsResourceRequest || info.Resource == "" {
		return nil, inexpressible(NoResource, "%s", info.Path)
	}
	return info, nil
}

func resourceOf(info *request.RequestInfo) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource}
}

// Resolve returns the call that sends the request, whose body is a separate argument. The error is
// an Inexpressible.
func (c *Clientset) Resolve(r *http.Request, body []byte) (*Call, error) {
	info, err := infoOf(r)
	if err != nil {
		return nil, err
	}
	k, ok := c.kinds[resourceOf(info)]
	if !ok {
		return nil, inexpressible(NoClient, "%v", resourceOf(info))
	}
	m := maker{clientset: c, kind: k, info: info, request: r, body: bytes.TrimSpace(body)}
	if err = m.checkPath(); err != nil {
		return nil, err
	}
	sends, accepts, err := media(r, len(m.body) > 0)
	if err != nil {
		return nil, err
	}
	call, err := m.call()
	if err != nil {
		return nil, err
	}
	call.Sends, call.Accepts = sends, accepts
	return call, nil
}

// maker creates a call for one request.
type maker struct {
	clientset *Clientset
	kind      kind
	info      *request.RequestInfo
	request   *http.Request
	body      []byte
}

// checkPath compares the path with that of the kind's client.
func (m *maker) checkPath() error {
	path := m.kind.Path
	if m.kind.Namespaced && m.info.Namespace != "" {
		at := strings.LastIndex(path, "/")
		path = path[:at] + "/namespaces/" + m.info.Namespace + path[at:]
	}
	for _, part := range m.info.Parts[1:] {
		path += "/" + part
	}
	if len(m.info.Parts) > 3 || path != m.request.URL.EscapedPath() {
		return inexpressible(Path, "%s", m.request.URL.EscapedPath())
	}
	return nil
}

// name returns the name in the path. The name in the request's info can come from a selector.
func (m *maker) name() string {
	if len(m.info.Parts) > 1 {
		return m.info.Parts[1]
	}
	return ""
}

// call tries the possible methods for the request, and returns the call of the first one that can
// express it.
func (m *maker) call() (*Call, error) {
	err := inexpressible(NoMethod, "%s %s", m.info.Verb, strings.Join(m.info.Parts, "/"))
	if m.named() != (m.name() != "") || m.request.Method == http.MethodHead {
		return nil, err
	}
	for _, name := range m.methods() {
		method, ok := m.kind.methods.MethodByName(name)
		if !ok {
			continue
		}
		var args []reflect.Value
		if args, err = m.arguments(method); err == nil {
			return &Call{Method: name, kind: m.kind, namespace: m.info.Namespace, args: args}, nil
		}
	}
	return nil, err
}

// named reports whether requests like this one have a name in the path.
func (m *maker) named() bool {
	switch m.info.Verb {
	case "list", "watch", "deletecollection":
		return false
	case "create":
		return m.info.Subresource != ""
	}
	return true
}

// methods returns the names of methods that could send the request.
func (m *maker) methods() []string {
	verb := map[string]string{
		"get": "Get", "list": "List", "watch": "Watch", "create": "Create", "update": "Update",
		"patch": "Patch", "delete": "Delete", "deletecollection": "DeleteCollection",
	}[m.info.Verb]
	if verb != "Patch" {
		return m.withSubresource(verb)
	}
	var names []string
	if contentType(m.request) == string(types.ApplyPatchType) {
		names = m.withSubresource("Apply")
	}
	if m.otherKind() {
		return names
	}
	return append(names, verb)
}

// otherKind reports whether the request's subresource has another kind than the resource, like a
// scale. Patch returns the resource's.
func (m *maker) otherKind() bool {
	if m.info.Subresource == "" {
		return false
	}
	for _, name := range append(m.withSubresource("Get"), m.withSubresource("Update")...) {
		method, _ := m.kind.methods.MethodByName(name)
		if method.Type.Out(0) != m.kind.Object {
			return true
		}
	}
	return false
}

// withSubresource returns the methods for a verb and the request's subresource.
func (m *maker) withSubresource(verb string) []string {
	var names []string
	for i := range m.kind.methods.NumMethod() {
		name := m.kind.methods.Method(i).Name
		if strings.EqualFold(name, verb+m.info.Subresource) {
			names = append(names, name)
		}
	}
	return names
}
