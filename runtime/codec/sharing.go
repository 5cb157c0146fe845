package codec

import (
	"context"
	"sync"

	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
)

// sharingKey is the key of a context's value that enables sharing, a *shared.
type sharingKey struct{}

// shared is what requests with one context have in common.
type shared struct {
	parts bool // maps, slices and structs, too

	mu   sync.Mutex // guards the field below
	free *session   // nil while a request has it

	protobuf protobuf.Shared
}

// WithSharedTexts returns a context for the requests of one owner, such as a cache: equal strings, and equal texts of
// FieldsV1, of different objects are one in memory. Objects have their own maps, slices and structs, so that changing one
// changes no other, except for the bytes of a FieldsV1's text, which are only to be replaced as a whole. What is
// remembered, and to what it applies, is as with [WithSharing]. Nothing of a Secret is shared; see also [WithSecrets].
// With the decoders of [ForView], it is WithSharing.
func WithSharedTexts(ctx context.Context) context.Context {
	return context.WithValue(ctx, sharingKey{}, new(shared))
}

// WithSharing returns a context for the requests of one owner, such as a cache. The owner must not change the objects
// in the responses: equal maps (labels, selectors, limits), slices (of arguments, of variables), structs behind pointers
// (probes, security contexts) and FieldsV1 of different objects are one in memory; in untyped objects, equal objects of
// strings below the top, and FieldsV1. Quantities in what is shared have their text, so that reading them changes nothing.
//
// Parts of objects of which fields are skipped, by [WithFields] or because they are views, are equal if the other fields
// are. Maps of such parts are not shared.
//
// What is remembered for this is bounded, in number and in length: parts whose text is longer than 4096 bytes and maps
// with long strings are not shared. Nor are, in JSON, values of types that decode themselves, untyped values in typed
// objects, and what contains them.
//
// It applies to lists that are decoded item by item (see [StreamDecoder]) and to watches, with the decoders of [ForScheme]
// and [ForUnstructured]. Nothing of a Secret is shared; see also [WithSecrets].
func WithSharing(ctx context.Context) context.Context {
	return context.WithValue(ctx, sharingKey{}, &shared{parts: true, protobuf: protobuf.Shared{Parts: true}})
}

// secretsKey is the key of a context's value that has all kinds be treated like Secrets.
type secretsKey struct{}

// WithSecrets returns a context for requests of Secrets whose responses are of another kind, such as metadata: nothing
// of their contents is shared or remembered.
func WithSecrets(ctx context.Context) context.Context {
	return context.WithValue(ctx, secretsKey{}, true)
}

// take returns a session for a stream. If s is nil, it is for one that shares no maps.
func (s *shared) take() *session {
	if s == nil {
		return &session{own: true}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.free
	s.free = nil
	if free == nil {
		free = &session{own: true}
		free.Stream.Share, free.Stream.ShareTexts = s.parts, true
	}
	return free
}

// put returns a session for the next stream.
func (s *shared) put(free *session) {
	free.Drop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = free
}
