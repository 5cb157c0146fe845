// Package decoding compares decoding of JSON and protobuf by runtime/codec and by apimachinery: for every kind
// of k8s.io/api, of testdata/apis and of apimachinery, for kinds that contain themselves or embed
// pointers, and for untyped objects.
//
// A trial fills an object at random, encodes it like an API server, and decodes the text and texts
// derived from it (see Mutate) in every way that codec supports: from bytes, from a reader in
// chunks, and lists item by item. The result must equal that of apimachinery's decoder: the same
// object, or an error from both.
//
// "go test" makes some trials; "go test -run 'Trials|Protobuf' -duration 10m" many.
package decoding
