//go:build requirements

package requests

// Scratch modules take their requirements from this module. It must therefore
// require all that generated trees import, which these packages import too; with
// the build constraint above, only `go mod tidy` reads them.
import (
	_ "k8s.io/client-go/informers"
	_ "k8s.io/client-go/kubernetes/fake"
)
