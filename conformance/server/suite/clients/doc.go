// Package clients contains the clientset, fake clientset, listers and informers of custom resources that run the suite, as
// our generators print them; those of built-in kinds are the module kubernetes.
package clients

//go:generate go tool -modfile=../../../../bench/go.mod gen-all --output-dir=custom ./apis/...
