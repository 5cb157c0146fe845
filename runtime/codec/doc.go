// Package codec decodes JSON into a scheme's objects like apimachinery's serializer, but in one pass.
//
// # Terms
//
// A text is the JSON of one object. Its head is its kind and apiVersion, which API servers write first; they
// sort the members of custom resources, so that the items of a list come between the two. The exact decoder is
// apimachinery's: package runtime/serializer/json over sigs.k8s.io/json, within runtime.WithoutVersionDecoder.
// It reads a text three times: for its kind, for its validity, and for its content.
//
// # Operations
//
// [ForScheme] returns a serializer that replaces the WithoutConversion of a scheme's codecs. It leaves
// everything to the codecs except decoding of JSON, which [StreamDecoder]s do. They read the head of a text,
// use the given object if it is of this kind or otherwise create one of the scheme's type, and read all other
// members directly into it, each once, with github.com/go-json-experiment/json under the rules of
// encoding/json, with case-sensitive names and untyped whole numbers as int64. Functions of this package decode
// ObjectMeta and types whose methods would parse their text again (Time, MicroTime, IntOrString); strings that
// many objects have in common are shared. Untyped objects (Unstructured and lists of them) are read into maps
// in one pass too.
//
// The result equals the exact decoder's: the kind and apiVersion of the object are cleared, those of a list's
// items are kept. The exact decoder itself decodes
//
//   - texts without a head, or whose head is repeated with another value or in other letters;
//   - texts for objects that are not empty, since these are merged;
//   - kinds that contain a type that the two libraries are not known to decode equally: with embedded pointers
//     or types that are not structs, options in tags other than omitempty and omitzero, names in tags beyond
//     letters, digits and _.$/-, two fields of one name, fields whose names are kind or apiVersion in other
//     letters, interfaces other than any, arrays, maps whose keys are not strings, methods UnmarshalText or
//     UnmarshalJSONFrom, plain time.Time and time.Duration. A Go type is vetted once;
//   - texts that cannot be decoded here: the result is an error only if the exact decoder returns one too. The
//     error is ours, an [Error], which reports the object and the position in it.
//
// [ForUnstructured] returns the serializer of dynamic clients. Its decoder reads into untyped objects, and keeps
// their kind and apiVersion, like package unstructured's. [ForMetadata] returns the serializer of metadata clients.
//
// [StreamDecoder.DecodeFrom] and [StreamDecoder.DecodeList] read lists as they arrive: the text of a list is
// never held in memory as a whole, unless the exact decoder needs it. Single objects are read whole first, into
// memory that is reused.
//
// # Limits
//
// A reader cannot be rewound. If a list was read under its head, or, if the items come before the kind, as the
// requested list, and its kind or apiVersion is repeated or follows with another value, that is an error; so
// are repeated items if they are handed over one by one. The exact decoder would decode both, and ignore errors
// under the first head; no API server writes either.
//
// A given list that turns out to be invalid while it is read is left empty. The exact decoder leaves the
// decoded part in it if a value is invalid (not if the text is).
package codec
