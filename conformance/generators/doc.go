// Package generators contains the tests that compare the output of the generators with that of upstream's, for the cases
// below testdata/apis, for k8s.io/api, for real projects and for random types.
//
// With code-generator:
//
//   - identity: clientsets, listers, informers and apply configurations, file by file
//   - deepcopy: deepcopy functions, also with controller-gen's
//   - register: registration
//   - names: types with the names of generated identifiers
//   - applyconfigurations: apply configurations of the built-in API, as client-go has them
//   - flavours: the clients for our runtime with those for client-go
//
// With controller-tools, and with the API server's own code:
//
//   - crds: CustomResourceDefinitions
//   - manifests: roles, and configurations of webhooks
//   - breaking: which changes of a definition break objects
//   - lint: rules of kube-api-linter
//
// With both:
//
//   - random: random API packages
//   - projects: real projects from the Go module proxy
//
// The target conformance-peers runs them, except those that need projects from the proxy, which the targets projects and
// crds run, and the definitions on the real API server, which the target conformance-kube asks.
package generators
