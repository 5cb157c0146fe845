// Package clients contains the clientsets, fake clientsets, listers and informers that run the
// suite, as our generators print them.
package clients

//go:generate go tool -modfile=../../../bench/go.mod gen-all --output-dir=custom ./apis/...
