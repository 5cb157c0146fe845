// Package linking proves what a program with one clientset of ours, and a controller
// of one custom resource, do not link: no fakes, nothing for tests, no OpenAPI models, no
// page for debugging, and nothing of client-go; and without informers, no cache.
//
// Programs listwatch and clientgo, below this folder and below controller, differ in
// their imports only: they do the same with what is emitted for one case, over our own
// runtime and over client-go. The test compares what they link, package by package and symbol by
// symbol, and logs how large they are; `go test -v` shows it. Sizes depend on Go's
// version and the platform, so that only their order is tested.
package linking
