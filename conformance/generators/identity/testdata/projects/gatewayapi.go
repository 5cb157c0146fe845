// Package gatewayapi imports the API packages of the Gateway API, in the layout of kubebuilder.
package gatewayapi

import (
	_ "sigs.k8s.io/gateway-api/apis/v1"
	_ "sigs.k8s.io/gateway-api/apis/v1alpha2"
	_ "sigs.k8s.io/gateway-api/apis/v1alpha3"
	_ "sigs.k8s.io/gateway-api/apis/v1beta1"
	_ "sigs.k8s.io/gateway-api/apisx/v1alpha1"
)

// Imports of the generated code, or of what it needs.
import (
	_ "k8s.io/client-go/discovery/fake"
	_ "k8s.io/client-go/gentype"
	_ "k8s.io/client-go/listers"
	_ "k8s.io/client-go/rest"
	_ "k8s.io/client-go/testing"
	_ "k8s.io/client-go/tools/cache"
	_ "k8s.io/client-go/util/apply"
	_ "sigs.k8s.io/gateway-api/applyconfiguration"
)
