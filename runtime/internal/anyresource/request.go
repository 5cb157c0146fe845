// Package anyresource builds requests for clients of any resource, whose REST clients belong to no group and version.
package anyresource

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/rest"
)

var errNoName = errors.New("name is required")

// Scope is a resource in a namespace, or in all namespaces if it is empty.
type Scope struct {
	Resource  schema.GroupVersionResource
	Namespace string
}

// Collection returns the segments of the path of the resource. It fails if the namespace is invalid.
func (s Scope) Collection() ([]string, error) {
	if reasons := rest.IsValidPathSegmentName(s.Namespace); len(reasons) > 0 {
		return nil, fmt.Errorf("invalid namespace %q: %v", s.Namespace, reasons)
	}
	path := []string{"apis", s.Resource.Group, s.Resource.Version}
	if s.Resource.Group == "" {
		path = []string{"api", s.Resource.Version}
	}
	if s.Namespace != "" {
		path = append(path, "namespaces", s.Namespace)
	}
	return append(path, s.Resource.Resource), nil
}

// Object returns the segments of the path of an object, or of a subresource of it. It fails if the name is empty or
// invalid, or the namespace is.
func (s Scope) Object(name string, subresources ...string) ([]string, error) {
	if name == "" {
		return nil, errNoName
	}
	path, err := s.Collection()
	if err != nil {
		return nil, err
	}
	if reasons := rest.IsValidPathSegmentName(name); len(reasons) > 0 {
		return nil, fmt.Errorf("invalid resource name %q: %v", name, reasons)
	}
	return append(append(path, name), subresources...), nil
}

// Params adds options to the query of a request. They are encoded as in the version v1, in which all APIs agree.
func Params(r *rest.Request, opts runtime.Object) *rest.Request {
	return r.SpecificallyVersionedParams(opts, metav1.ParameterCodec, schema.GroupVersion{Version: "v1"})
}
