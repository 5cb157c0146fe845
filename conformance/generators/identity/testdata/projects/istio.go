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
