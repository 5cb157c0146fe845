// Package clientgo is the root of a module that takes the place of k8s.io/client-go in a program:
//
//	replace k8s.io/client-go => github.com/listwatch/listwatch/client-go v0.1.0
//
// The program, and all libraries that are compiled into it, then run on listwatch's runtime, unchanged: what the
// packages of this module declare are aliases of listwatch's types, which have the API of client-go v0.37, and a
// type and its alias are one type. Deleting the line takes the program back.
//
// # Terms
//
// An *alias package* consists of a generated file, aliases.go. Some declare symbols of their own beside it, in other
// files: what listwatch has no counterpart of, or has in another form. The clientset, its fake and the informers of
// built-in kinds are generated from k8s.io/api in client-go's form, on alias packages.
//
// # Behavior
//
// Importing any package of the module makes the runtime behave as client-go where the two differ and a program could
// notice, for example in the default limit of requests; package [github.com/listwatch/listwatch/runtime/compat] lists
// these differences.
//
// # Limits
//
// A variable of an alias package is a copy of listwatch's. These assignments of a program have no effect:
//
//   - transport.CertCallbackRefreshDuration: the files of client certificates are read each five minutes.
//   - rest.NameMayNotBe and rest.NameMayNotContain.
//   - variables of package tools/metrics: metrics.Register has one.
//   - scheme.Scheme and scheme.Codecs of package kubernetes/scheme, and those of tools/clientcmd/api/latest. Types that
//     are added to the schemes are known to clients.
//
// Assignments to clientcmd.RecommendedHomeFile and clientcmd.UseModifyConfigLock have the effect that they have with
// client-go. No other exported variable is read by client-go itself.
package clientgo

//go:generate go tool gen-clientset --runtime=client-go --clientset-only --output-dir=. --output-pkg=k8s.io/client-go --clientset-name=kubernetes --prefers-protobuf --apply-configuration-package=k8s.io/client-go/applyconfigurations --plural-exceptions=Endpoints:Endpoints --exclude=k8s.io/api/imagepolicy/... k8s.io/api/...
//go:generate rm kubernetes/scheme/doc.go kubernetes/scheme/register.go
//go:generate go tool gen-informer --runtime=client-go --output-dir=informers --output-pkg=k8s.io/client-go/informers --single-directory --versioned-clientset-package=k8s.io/client-go/kubernetes --listers-package=k8s.io/client-go/listers --plural-exceptions=Endpoints:Endpoints k8s.io/api/...
