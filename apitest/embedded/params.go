package embedded

import (
	"context"
	"encoding/json"
	"net/http"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/listwatch/listwatch/apitest/internal/custom"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
)

// policyParams reads objects of a kind for admission policies.
type policyParams struct {
	loopback   *loopback
	resource   schema.GroupVersionResource
	namespaced bool
}

// params returns the parameters of a kind, or nil if the server of the context's request does not serve it.
func params(ctx context.Context, kind schema.GroupVersionKind) (hooks.Params, error) {
	l, ok := ctx.Value(loopbackKey{}).(*loopback)
	if !ok {
		return nil, nil
	}
	loader := &loader{loopback: l}
	found, ok := loader.resource(kind)
	if !ok {
		return nil, nil
	}
	return &policyParams{l, kind.GroupVersion().WithResource(found.Resource), found.Scope == apidiscovery.ScopeNamespace}, nil
}

func (p *policyParams) Resource() string { return p.resource.Resource }

func (p *policyParams) Namespaced() bool { return p.namespaced }

func (p *policyParams) Get(ctx context.Context, namespace, name string) (runtime.Object, error) {
	body, err := p.loopback.do(ctx, http.MethodGet, objectPath(p.resource, namespace, name), nil)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	return object, object.UnmarshalJSON(body)
}

func (p *policyParams) List(ctx context.Context, namespace string, selector labels.Selector) ([]runtime.Object, error) {
	body, err := p.loopback.do(ctx, http.MethodGet, objectPath(p.resource, namespace, ""), nil)
	if err != nil {
		return nil, err
	}
	list := &unstructured.UnstructuredList{}
	if err := json.Unmarshal(body, list); err != nil {
		return nil, err
	}
	var out []runtime.Object
	for i := range list.Items {
		if selector.Matches(labels.Set(list.Items[i].GetLabels())) {
			out = append(out, &list.Items[i])
		}
	}
	return out, nil
}

// policyTypes returns how custom resources of a kind are merged, or nil if no definition of the server of the context's
// request has the kind.
func policyTypes(ctx context.Context, kind schema.GroupVersionKind) managedfields.TypeConverter {
	l, ok := ctx.Value(loopbackKey{}).(*loopback)
	if !ok {
		return nil
	}
	crds, err := l.definitions(ctx)
	if err != nil {
		return nil
	}
	for i := range crds {
		if spec := &crds[i].Spec; spec.Group != kind.Group || spec.Names.Kind != kind.Kind {
			continue
		}
		if types, err := custom.Types(&crds[i], kind.Version); err == nil {
			return types
		}
	}
	return nil
}
