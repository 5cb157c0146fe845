// Package aggregator imports the API packages of kube-aggregator, a pair of external
// versions with an internal one above them.
package aggregator

import (
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration"
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	_ "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"
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
	_ "k8s.io/kube-aggregator/pkg/client/applyconfiguration"
)
