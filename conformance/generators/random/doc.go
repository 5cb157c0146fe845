// Package random writes random packages of API types, which the generators and upstream's generators are compared on.
//
// # Terms
//
// An [Example] is a group of API packages: one or two versions, and sometimes a package that they share. It compiles, and
// depends only on a seed and a number. Most examples are what a careful author writes; a *wild* one also contains what
// generators refuse, such as markers that fit no type, and fields without a name in JSON.
//
// The tests write many examples into one module, so that each generator loads all packages at once. A difference is
// reported with the smallest example that still differs: parts are removed as long as the rest compiles and differs in
// the same way. With the flag slow, clients, listers, informers and apply configurations are compared with code-generator's
// too, the output of gen-all is type-checked in both flavours, its second run must change nothing, and the analyzer must
// report what it reports.
//
// # Limits
//
// Where gen-deepcopy and deepcopy-gen both can refuse a package, deepcopy-gen is not asked.
//
// Roles and webhooks are compared by conformance/generators/manifests, with random markers of its own.
package random
