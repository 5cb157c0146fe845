package fake

import (
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/testing"
)

// ProxyGet returns the response of the first proxy reactor that handles the action, or nil.
func (c *fakeServices) ProxyGet(scheme, name, port, path string, params map[string]string) rest.ResponseWrapper {
	return c.Fake.InvokesProxy(testing.NewProxyGetAction(c.Resource(), c.Namespace(), scheme, name, port, path, params))
}
