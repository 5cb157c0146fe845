// Package replacement puts a module on listwatch with one line in its go.mod, which replaces client-go with the module
// whose packages are client-go's and whose types are ours.
//
// # Operations
//
// [Do] writes the line, updates what the module requires, and compiles its packages with their tests. If they do not
// compile, or anything else fails, all files are as they were before.
//
// # Terms
//
// The target is what client-go is replaced with: a version of our module, or its directory in a checkout. A pin is
// a replacement of client-go with another version of itself, which gives way to the line. A fork is any other one, which is
// an error. Released modules are those that Kubernetes releases with client-go, such as k8s.io/apiserver: they compile
// only with others of the same version, so that those of an older one are raised.
//
// # Limits
//
// A package that does not compile without the line either is not a failure. Packages that build constraints exclude
// are not compiled.
package replacement
