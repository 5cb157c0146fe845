// Package clientset passes clientsets of this module to functions of listwatch.
package clientset

import (
	listwatch "github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/discovery"
	internaldiscovery "k8s.io/client-go/internal/discovery"
	"k8s.io/client-go/kubernetes"
)

// Narrow returns a clientset of listwatch with the clients of c. Only their discovery clients differ.
func Narrow(c kubernetes.Interface) listwatch.Interface { return narrow{c} }

type narrow struct{ kubernetes.Interface }

func (n narrow) Discovery() discovery.DiscoveryInterfaces {
	return internaldiscovery.NarrowBoth(n.Interface.Discovery())
}
