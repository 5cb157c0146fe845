package column

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/conformance/server/suite"
	customv1 "github.com/listwatch/listwatch/conformance/server/suite/clients/apis/custom/v1"
	custom "github.com/listwatch/listwatch/conformance/server/suite/clients/custom/clientset/versioned"
	customfake "github.com/listwatch/listwatch/conformance/server/suite/clients/custom/clientset/versioned/fake"
	customscheme "github.com/listwatch/listwatch/conformance/server/suite/clients/custom/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/conformance/server/suite/typed"
	"github.com/listwatch/listwatch/kubernetes"
	kubernetesfake "github.com/listwatch/listwatch/kubernetes/fake"
	kubernetesscheme "github.com/listwatch/listwatch/kubernetes/scheme"
	"github.com/listwatch/listwatch/runtime/rest"
)

// set is a generated clientset with its fake.
type set struct {
	*typed.Clientset
	scheme *runtime.Scheme
	client func(*rest.Config) (any, error)
	fake   func() any
}

// pair contains the clientsets of the columns: for Kubernetes' own kinds and for custom resources.
type pair struct{ kubernetes, custom set }

// sets are created once, with the generated schemes.
var sets = sync.OnceValues(func() (pair, error) {
	// Callers of UpdateScale must register its type.
	if err := autoscalingv1.AddToScheme(customscheme.Scheme); err != nil {
		return pair{}, err
	}
	own := set{
		scheme: kubernetesscheme.Scheme,
		client: func(c *rest.Config) (any, error) { return kubernetes.NewForConfig(c) },
		fake:   func() any { return kubernetesfake.NewClientset() },
	}
	others := set{
		scheme: customscheme.Scheme,
		client: func(c *rest.Config) (any, error) { return custom.NewForConfig(c) },
		fake:   func() any { return customfake.NewClientset() },
	}
	var err error
	own.Clientset, err = typed.New(typed.Source{
		Interface: reflect.TypeFor[kubernetes.Interface](), New: own.client, Scheme: own.scheme,
	})
	if err != nil {
		return pair{}, err
	}
	others.Clientset, err = typed.New(typed.Source{
		Interface: reflect.TypeFor[custom.Interface](), New: others.client, Scheme: others.scheme, Exact: true,
	})
	return pair{own, others}, err
})

// found is a request as a typed call.
type found struct {
	*typed.Call
	custom bool
	alias  alias
}

// find returns the call that sends a request. The error may be a *typed.Inexpressible.
func (p pair) find(req suite.Request) (found, error) {
	r, err := httpRequest(req)
	if err != nil {
		return found{}, err
	}
	resource, err := typed.ResourceOf(r)
	if err != nil {
		return found{}, err
	}
	if p.kubernetes.Has(resource) {
		return p.own(r, req)
	}
	ours := schema.GroupVersionResource{Group: customv1.SchemeGroupVersion.Group, Version: resource.Version, Resource: resource.Resource}
	if resource.Group == "" || !p.custom.Has(ours) {
		return p.own(r, req)
	}
	a := alias{theirs: resource.Group, ours: ours.Group}
	r.URL.Path = a.in(r.URL.Path)
	call, err := p.custom.Resolve(r, []byte(a.in(string(req.Body))))
	return found{Call: call, custom: true, alias: a}, err
}

// own finds the call for a request for one of Kubernetes' own kinds.
func (p pair) own(r *http.Request, req suite.Request) (found, error) {
	call, err := p.kubernetes.Resolve(r, req.Body)
	if err == nil && becomesProtobuf(req) {
		call.Sends = runtime.ContentTypeProtobuf
	}
	return found{Call: call}, err
}

// httpRequest returns a request as a server receives it, without its body, but as JSON if it is
// later converted to protobuf.
func httpRequest(req suite.Request) (*http.Request, error) {
	target, err := url.Parse("http://server" + req.Path)
	if err != nil {
		return nil, fmt.Errorf("path: %w", err)
	}
	target.RawQuery = req.Query
	header := req.Header.Clone()
	if becomesProtobuf(req) {
		header.Set("Content-Type", runtime.ContentTypeJSON)
	}
	return &http.Request{Method: req.Method, URL: target, Header: header, Host: target.Host}, nil
}

// becomesProtobuf reports whether the body of a request is JSON that is sent as protobuf.
func becomesProtobuf(req suite.Request) bool {
	return !req.Raw && req.Body != nil && req.Header.Get("Content-Type") == runtime.ContentTypeProtobuf
}
