// Package prometheus imports the API packages of the Prometheus operator, which have
// unusual plurals and methods on a subresource.
package prometheus

import (
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1alpha1"
	_ "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1beta1"
)
