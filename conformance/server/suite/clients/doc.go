// Package clients contains the clientsets, fake clientsets, listers and informers that run the
// suite, as our generators print them.
package clients

//go:generate go tool -modfile=../../../../bench/go.mod gen-all --output-dir=kubernetes --apply-configuration-package=k8s.io/client-go/applyconfigurations --plural-exceptions=Endpoints:Endpoints k8s.io/api/core/v1 k8s.io/api/apps/v1 k8s.io/api/autoscaling/v1 k8s.io/api/authentication/v1 k8s.io/api/authorization/v1 k8s.io/api/coordination/v1 k8s.io/api/rbac/v1
//go:generate go tool -modfile=../../../../bench/go.mod gen-all --output-dir=custom ./apis/...
