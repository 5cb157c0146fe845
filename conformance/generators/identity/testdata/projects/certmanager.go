// Package certmanager imports the API packages of cert-manager, whose groups contain hyphens and
// differ from the names of their directories.
package certmanager

import (
	_ "github.com/cert-manager/cert-manager/pkg/apis/acme/v1"
	_ "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
)

// Imports of the generated code, or of what it needs.
import (
	_ "github.com/cert-manager/cert-manager/pkg/client/applyconfigurations"
	_ "k8s.io/client-go/discovery/fake"
	_ "k8s.io/client-go/gentype"
	_ "k8s.io/client-go/listers"
	_ "k8s.io/client-go/rest"
	_ "k8s.io/client-go/testing"
	_ "k8s.io/client-go/tools/cache"
	_ "k8s.io/client-go/util/apply"
)
