// Package aggregator imports the API packages of kube-aggregator, a pair of external
// versions with an internal one above them.
package aggregator

import (
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration"
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
)
