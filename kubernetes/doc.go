// Package kubernetes is the clientset of Kubernetes' built-in API: of every group and version in
// [k8s.io/api].
//
//	clientset, err := kubernetes.NewForConfig(config)
//	pods, err := clientset.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
//
// The directories below it contain the clients of each group and version (typed), the scheme of
// their types (scheme), a clientset for tests (fake), informers, listers and apply configurations. Their
// API equals that of k8s.io/client-go/kubernetes, k8s.io/client-go/informers, k8s.io/client-go/listers
// and k8s.io/client-go/applyconfigurations, so that code moves by a change of its imports. Apply
// configurations of metadata are in runtime/applyconfigurations/meta/v1. All of it is generated, except files named *_expansion.go, whose
// methods no marker describes: logs and eviction of pods, events of an object, replica sets of a pod.
//
// Clients request protobuf and accept JSON, for kinds that have no protobuf. Objects that they return
// belong to the caller; objects from listers and informers are shared and must not be modified.
//
// [k8s.io/api]: https://pkg.go.dev/k8s.io/api
package kubernetes

// An API server sends an ImageReview and never receives one: there is a lister, but no client.
//
//go:generate go tool gen-clientset --output-dir=.. --clientset-name=kubernetes --prefers-protobuf --apply-configuration-package=github.com/listwatch/listwatch/kubernetes/applyconfigurations --plural-exceptions=Endpoints:Endpoints --exclude=k8s.io/api/imagepolicy/... k8s.io/api/...
//go:generate go tool gen-applyconfiguration --output-dir=applyconfigurations --openapi-schema=internal/openapi.json k8s.io/api/...
//go:generate go tool gen-lister --output-dir=listers --plural-exceptions=Endpoints:Endpoints k8s.io/api/...
//go:generate go tool gen-informer --output-dir=informers --single-directory --versioned-clientset-package=github.com/listwatch/listwatch/kubernetes --listers-package=github.com/listwatch/listwatch/kubernetes/listers --plural-exceptions=Endpoints:Endpoints k8s.io/api/...
