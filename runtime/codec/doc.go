// Package codec decodes JSON into a scheme's objects like apimachinery's serializer, but in one pass.
//
// # Terms
//
// A text is the JSON of one object. Its head is its kind and apiVersion, which API servers write first; they
// sort the members of custom resources, so that the items of a list come between the two. The exact decoder is
// apimachinery's: package runtime/serializer/json over sigs.k8s.io/json, within runtime.WithoutVersionDecoder.
// It reads a text three times: for its kind, for its validity, and for its content. The fast decoder is that of
// package internal/table: it goes by a table, which is compiled once for each type.
//
// # Operations
//
// [ForScheme] returns a serializer that replaces the WithoutConversion of a scheme's codecs. It leaves
// everything to the codecs except decoding of JSON, which decoders of type [StreamDecoder] do. They read the head of a text,
// use the given object if it is of this kind or otherwise create one of the scheme's type, and decode the text
// into it, fast. Where the fast decoder is not sure it falls back to the exact decoder, whose result or error counts.
// Untyped objects (Unstructured and lists of them) are read into maps in one pass too.
//
// The result equals the exact decoder's: the kind and apiVersion of the object are cleared, those of a list's
// items are kept. The exact decoder itself decodes
//
//   - texts without a head, or whose head is repeated or in other letters;
//   - texts for objects that are not empty, since these are merged;
//   - objects that have no fields kind and apiVersion, or decode themselves;
//   - objects in which a member is repeated, or that are more than 64 levels deep;
//   - texts that cannot be decoded. The error is an [Error], which reports the object, the position in it, and
//     the exact decoder's error.
//
// Within objects, it decodes the fields that the fast decoder does not know, each from its own text: arrays, maps
// by integers, embedded pointers, the option string. [Explain] lists them, with fields whose types decode
// themselves: they are the reason if decoding of a kind is slow.
//
// [Recognize] does the same for the serializers of other clients, such as clientsets of client-gen, if their decoding is
// known to be apimachinery's; errors then are apimachinery's too. After an error in a list from a reader, the exact decoder
// decodes the rest of it, after what came before the items, for its error; the rest is in memory then.
//
// [ForView] is [ForScheme] for a struct with some fields of a kind's type, such as the views that gen-all generates clients for.
//
// [ForUnstructured] returns the serializer of dynamic clients. Its decoder reads into untyped objects, and keeps
// their kind and apiVersion, like package unstructured's. [ForMetadata] returns the serializer of metadata clients.
//
// [StreamDecoder.DecodeFrom] and [StreamDecoder.DecodeList] read lists as they arrive: the text of a list is
// never held in memory as a whole, unless the exact decoder needs it. Single objects are read whole first, into
// memory that is reused. [ForStream] returns a decoder that remembers what the objects of one stream have in common.
//
// # Sharing
//
// Equal strings of the objects of a list or stream are one in memory, if they come often. [WithSharedTexts] extends this
// to all requests of an owner and to texts of FieldsV1, for caches: informers use it. [WithSharing] extends it to maps,
// FieldsV1, slices and structs behind pointers; informers use it if their option Share is set and
// they have no transform, and for objects that are cut. Nothing of a Secret is shared with other objects, or remembered. [WithoutManagedFields] does without
// managedFields.
//
// # Fields
//
// [WithFields] has objects be decoded without the fields that a cache does not need; everything else is skipped at the speed of
// scanning. Such an object is cut, and has a mark, which its copies have too: [CheckWhole] and [CheckPatch] find writes that
// would delete what was cut. The mark is in metadata.selfLink, since it costs no memory there, survives copying and
// encoding, cancels out in patches, and is neither set nor stored by API servers.
//
// # Texts
//
// [WithTexts] leaves objects in protobuf undecoded, for caches that store messages: packed informers use it. A message is only
// checked, as strictly as it would be decoded. A [Form] decodes it later.
//
// # Protobuf
//
// Package codec/internal/protobuf decodes protobuf: the envelope in place, and objects by layouts, which are compiled
// once a type; lists item by item, as they arrive. The types' methods decode what the layouts do not know. Errors are
// those of the exact decoder of protobuf. If the object is repeated in the envelope of a list that is decoded item by
// item, that is an error.
//
// # Limits
//
// A reader cannot be rewound. If a list was read under its head, or, if the items come before the kind, as the
// requested list, and its kind or apiVersion is repeated or follows with another value, that is an error; so
// are repeated items if they are handed over one by one. The exact decoder would decode both, and ignore errors
// under the first head; no API server writes either.
//
// If such a list of a recognized serializer cannot be decoded and its reader fails later, the error is that of the
// decoder of the item alone, whose text has another path to the field.
//
// A given list that turns out to be invalid while it is read is left empty. The exact decoder leaves the
// decoded part in it if a value is invalid (not if the text is).
package codec
