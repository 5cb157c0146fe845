package controllers

import "github.com/listwatch/listwatch/apitest/embedded"

// All returns all controllers of this package, with the defaults of [Kubelet].
func All() []embedded.Controller {
	return []embedded.Controller{
		Namespaces(), ServiceAccounts(), GarbageCollector(), ResourceQuotas(), PolicyTypes(),
		Deployments(), ReplicaSets(), StatefulSets(), Jobs(), Scheduler(), Kubelet(nil),
	}
}
