package apitest

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/listwatch/listwatch/runtime/clientcmd/api"
	_ "go.uber.org/goleak"
	_ "k8s.io/apiextensions-apiserver/pkg/apiserver"
	_ "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	_ "k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	_ "k8s.io/apiserver/pkg/registry/generic/registry"
	_ "k8s.io/apiserver/pkg/storage/testing"
	_ "k8s.io/client-go/kubernetes/scheme"
	_ "k8s.io/client-go/tools/clientcmd"
	_ "k8s.io/kube-openapi/pkg/common"
	_ "sigs.k8s.io/structured-merge-diff/v6/typed"
	_ "sigs.k8s.io/yaml"
)
