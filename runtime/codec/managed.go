package codec

import "context"

// managedKey is the key of a context's value that excludes managedFields.
type managedKey struct{}

// WithoutManagedFields returns a context for requests whose caller does not need metadata.managedFields. Package rest
// asks the server to leave them out (KEP-5958). Servers that do not know this send them; then the decoders of
// [ForScheme], [ForMetadata] and [ForUnstructured] skip them in JSON and protobuf, in lists that are decoded item by item
// (see [StreamDecoder]) and in watches, without allocating memory. They only check that the skipped part is JSON, and
// nothing in protobuf. Objects may have managedFields nevertheless, if a text needs the exact decoder.
func WithoutManagedFields(ctx context.Context) context.Context {
	return context.WithValue(ctx, managedKey{}, true)
}

// LacksManagedFields reports whether the context comes from [WithoutManagedFields].
func LacksManagedFields(ctx context.Context) bool { return ctx.Value(managedKey{}) != nil }
