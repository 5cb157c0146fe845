// Package linking checks what a program with one of our clientsets, and a controller of one custom
// resource, do not link: fakes, other packages for tests, OpenAPI models, the debug page, anything
// of client-go; and without informers, the cache.
//
// The programs listwatch and clientgo, in this directory, in kubeconfig and in controller, differ only in
// their imports: they do the same with the code generated for one case, using our own runtime and
// client-go. The test compares what they link, package by package and symbol by symbol, and logs
// their sizes; `go test -v` shows them. Sizes depend on Go's version and the platform, so only
// their order is tested.
package linking
