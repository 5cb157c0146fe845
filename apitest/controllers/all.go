package controllers

import "github.com/listwatch/listwatch/apitest"

// All returns all controllers of this package, with the defaults of [Kubelet].
func All() []apitest.Controller {
	return []apitest.Controller{
		Namespaces(), ServiceAccounts(), GarbageCollector(), ResourceQuotas(),
		Deployments(), ReplicaSets(), StatefulSets(), Jobs(), Scheduler(), Kubelet(nil),
	}
}
