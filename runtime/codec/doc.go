// Package codec decodes JSON into objects of a scheme as apimachinery's
// serializer does, in one pass.
//
// # Terms
//
// A text is the JSON of one object. Its head is its kind and apiVersion, which
// API servers write first; of custom resources they sort the members, so that the
// items of a list come between the two. The exact decoder is apimachinery's: package
// runtime/serializer/json over sigs.k8s.io/json, within
// runtime.WithoutVersionDecoder. It reads a text three times: for its kind, for
// its validity, and for what it says.
//
// # Operations
//
// [ForScheme] returns a serializer that stands for the WithoutConversion of a
// scheme's codecs. All is left to the codecs but the decoding of JSON, by
// decoders that are [StreamDecoder]s. Given a text, they read its head, take the
// object that was given if that is of this kind, or else make one of the
// scheme's type, and read all other members straight into it, each once, by
// github.com/go-json-experiment/json under the rules of encoding/json with
// names that match in case and whole numbers of no type as int64. ObjectMeta,
// and types whose methods would parse their text again (Time, MicroTime,
// IntOrString), are decoded by functions of this package; strings that many
// objects have in common are shared. Objects without a type (Unstructured and
// lists of them) are read into maps in one pass too.
//
// The outcome is that of the exact decoder, with the kind and apiVersion of the
// object cleared as it does, and those of a list's items kept. The exact
// decoder itself decodes
//
//   - texts without a head, or in which it comes once more with another value or
//     in other letters;
//   - texts for objects that hold something already, since that is merged;
//   - kinds with a type, anywhere in them, that the two libraries are not known
//     to read alike: with embedded pointers or types that are not structs,
//     options in tags other than omitempty and omitzero, names in tags beyond
//     letters, digits and _.$/-, two fields of one name, fields whose names
//     are kind or apiVersion in other letters, interfaces other than
//     any, arrays, maps whose keys are not strings, methods UnmarshalText or
//     UnmarshalJSONFrom, time.Time and time.Duration as they are. A Go type is
//     vetted once;
//   - texts that cannot be decoded here: the outcome is an error only where it
//     is one there too. The error is ours, an [Error], which says which object
//     it is and where in it.
//
// [StreamDecoder.DecodeFrom] and [StreamDecoder.DecodeList] read lists as they
// come: the text of a list is never held whole, unless the exact decoder has to
// have it. Single objects are read whole first, into memory that is used again.
//
// # Limits
//
// Off a reader there is no way back. A list that was read under its head, or, where
// the items come before the kind, as the list that is wanted, and whose kind or
// apiVersion comes again, or later, with another value, is an error; so are
// items that come twice, where they are handed over one by one. The exact
// decoder would decode both, and forgive what was wrong under the first head; no
// API server writes either.
//
// A list that was given, and turns out to be wrong off a reader, is left empty.
// The exact decoder leaves what it had read in it where the error is about a
// value (not where it is about the text).
package codec
