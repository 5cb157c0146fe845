// Package controllerruntime runs managers of sigs.k8s.io/controller-runtime on listwatch's informers:
//
//	manager, err := ctrl.NewManager(config, ctrl.Options{NewCache: controllerruntime.NewCache})
//
// Controllers, builders, sources, handlers and predicates of the program stay as they are.
package controllerruntime
