package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/kubernetes/scheme"
	"github.com/listwatch/listwatch/runtime/rest"
)

// PodExpansion has the methods of PodInterface that are written by hand.
type PodExpansion interface {
	// Bind assigns the pod that binding names to binding.Target. The pod is in the namespace of the
	// client; that of binding is ignored.
	Bind(ctx context.Context, binding *corev1.Binding, opts metav1.CreateOptions) error
	// Evict is EvictV1beta1.
	//
	// Deprecated: Use EvictV1.
	Evict(ctx context.Context, eviction *policyv1beta1.Eviction) error
	// EvictV1 deletes the pod that eviction names, unless a disruption budget forbids it at present,
	// which an error for apierrors.IsTooManyRequests reports. The pod is in the namespace of the
	// client; that of eviction is ignored.
	EvictV1(ctx context.Context, eviction *policyv1.Eviction) error
	// EvictV1beta1 is EvictV1 for servers before Kubernetes 1.22.
	EvictV1beta1(ctx context.Context, eviction *policyv1beta1.Eviction) error
	// GetLogs returns a request for the logs of a container. Its method Stream reads them while they
	// arrive, and with opts.Follow until the container ends; DoRaw returns them whole.
	GetLogs(name string, opts *corev1.PodLogOptions) *rest.Request
	// ProxyGet returns a request to a pod through the API server's proxy, which the methods of the
	// result send. The scheme, http or https, may be empty, and so may the port, which is a number;
	// params are the query.
	ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper
}

func (c *pods) Bind(ctx context.Context, binding *corev1.Binding, opts metav1.CreateOptions) error {
	return c.post(binding.Name, "binding", binding).VersionedParams(&opts, scheme.ParameterCodec).DoDiscard(ctx)
}

func (c *pods) Evict(ctx context.Context, eviction *policyv1beta1.Eviction) error {
	return c.EvictV1beta1(ctx, eviction)
}

func (c *pods) EvictV1(ctx context.Context, eviction *policyv1.Eviction) error {
	return c.post(eviction.Name, "eviction", eviction).DoDiscard(ctx)
}

func (c *pods) EvictV1beta1(ctx context.Context, eviction *policyv1beta1.Eviction) error {
	return c.post(eviction.Name, "eviction", eviction).DoDiscard(ctx)
}

// post returns a request that creates a subresource of a pod.
func (c *pods) post(name, subresource string, body runtime.Object) *rest.Request {
	return c.GetClient().Post().Namespace(c.GetNamespace()).Resource("pods").Name(name).SubResource(subresource).Body(body)
}

func (c *pods) GetLogs(name string, opts *corev1.PodLogOptions) *rest.Request {
	return c.GetClient().Get().Namespace(c.GetNamespace()).Resource("pods").Name(name).SubResource("log").
		VersionedParams(opts, scheme.ParameterCodec)
}

func (c *pods) ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper {
	return proxyGet(c.GetClient(), c.GetNamespace(), "pods", net.JoinSchemeNamePort(scheme, name, port), path, params)
}
