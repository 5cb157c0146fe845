//go:build requirements

package requests

// Scratch modules have this module's requirements. It must therefore require all imports of
// generated trees, which these packages import too; with the build constraint above, only `go mod
// tidy` reads them.
import (
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
)
