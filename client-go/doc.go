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
// A variable of an alias package is a copy: assigning to it does not change listwatch's.
package clientgo

//go:generate go tool gen-clientset --runtime=client-go --clientset-only --output-dir=. --output-pkg=k8s.io/client-go --clientset-name=kubernetes --prefers-protobuf --apply-configuration-package=k8s.io/client-go/applyconfigurations --plural-exceptions=Endpoints:Endpoints --exclude=k8s.io/api/imagepolicy/... k8s.io/api/...
//go:generate rm kubernetes/scheme/doc.go kubernetes/scheme/register.go
//go:generate go tool gen-informer --runtime=client-go --output-dir=informers --output-pkg=k8s.io/client-go/informers --single-directory --versioned-clientset-package=k8s.io/client-go/kubernetes --listers-package=k8s.io/client-go/listers --plural-exceptions=Endpoints:Endpoints k8s.io/api/...
