// Package istio imports the API packages of Istio, whose specs are protobuf messages.
package istio

import (
	_ "istio.io/client-go/pkg/apis/extensions/v1alpha1"
	_ "istio.io/client-go/pkg/apis/networking/v1"
	_ "istio.io/client-go/pkg/apis/networking/v1alpha3"
	_ "istio.io/client-go/pkg/apis/networking/v1beta1"
	_ "istio.io/client-go/pkg/apis/security/v1"
	_ "istio.io/client-go/pkg/apis/security/v1beta1"
	_ "istio.io/client-go/pkg/apis/telemetry/v1"
	_ "istio.io/client-go/pkg/apis/telemetry/v1alpha1"
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
)
