// Package decoding compares how runtime/codec decodes JSON with how
// apimachinery does: for every kind of k8s.io/api, of testdata/apis and of
// apimachinery, for kinds that hold themselves or embed pointers, and for objects without
// a type.
//
// A trial fills an object at random, encodes it as an API server does, and
// decodes the text and texts derived from it (see Mutate) in all ways that
// codec has: from bytes, off a reader in chunks, and lists item by item. The
// outcome has to be that of apimachinery's decoder: the same object, or an
// error from both.
//
// "go test" makes some trials; "go test -run Trials -duration 10m" many.
package decoding
