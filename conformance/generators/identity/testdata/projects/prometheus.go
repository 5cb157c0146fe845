// Package prometheus imports the API packages of the Prometheus operator, which have
// unusual plurals and methods on a subresource.
package prometheus

import (
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1alpha1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1beta1"
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
