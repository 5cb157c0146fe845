package v1

import (
	"k8s.io/apimachinery/pkg/util/net"

	"github.com/listwatch/listwatch/runtime/rest"
)

// ServiceExpansion has the methods of ServiceInterface that are written by hand.
type ServiceExpansion interface {
	// ProxyGet returns a request to a service through the API server's proxy, which the methods of
	// the result send. The scheme, http or https, may be empty, and the port is a name or a number,
	// or empty for the only one; params are the query.
	ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper
}

func (c *services) ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper {
	return proxyGet(c.GetClient(), c.GetNamespace(), "services", net.JoinSchemeNamePort(scheme, name, port), path, params)
}

// proxyGet returns a request to an object through the API server's proxy.
func proxyGet(client rest.Interface, namespace, resource, object, path string, params map[string]string) *rest.Request {
	request := client.Get().Namespace(namespace).Resource(resource).Name(object).SubResource("proxy").Suffix(path)
	for key, value := range params {
		request = request.Param(key, value)
	}
	return request
}
