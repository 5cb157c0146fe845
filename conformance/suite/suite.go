// Package suite holds what an API server, a clientset, an informer and a fake must do, as
// scripts that run on apitest and on the real kube-apiserver.
package suite

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/listwatch/listwatch/apitest"
	_ "github.com/rogpeppe/go-internal/txtar"
	_ "go.uber.org/goleak"
	_ "k8s.io/client-go/kubernetes/scheme"
	_ "sigs.k8s.io/yaml"
)
