//go:build requirements

package identity

// This module requires the imports of the compared code; nothing of it is linked here.
import (
	_ "k8s.io/client-go/applyconfigurations"
	_ "k8s.io/client-go/discovery/cached/disk"
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
	_ "k8s.io/client-go/listers"
)
