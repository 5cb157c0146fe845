// Package linking checks what a program with one of our clientsets, and controllers of one custom
// resource and of built-in kinds, do not link: fakes, other packages for tests, OpenAPI models, the debug page, anything
// of client-go; and without informers, the cache.
//
// The programs listwatch and clientgo, in this directory, in kubeconfig, controller and builtin, differ only
// in their imports: they do the same with the code generated for one case, or for k8s.io/api, using our
// own runtime and client-go. That in builtin also prints the memory that it takes. The test compares what they link, package by package and symbol by symbol, and logs
// their sizes; `go test -v` shows them. Sizes depend on Go's version and the platform, so only
// their order is tested.
//
// The program floor only imports what a controller needs of other modules, because its types or the API of our
// runtime name their types; the test lists what a controller links beyond.
//
// Another test writes docs/linking.md, which lists what tests link with apitest, and checks that it is what Kubernetes'
// handler of custom resources needs. What the page says of CPU, time and memory is in testdata/costs.json, which the test with
// the tag programs writes that "make linking" runs: it builds and runs the tests in testdata/servers in modules of their own.
package linking
