// Package intern remembers what comes again in the objects of a stream, so that equal parts of different objects are one
// in memory, and need not be decoded again.
//
// # Terms
//
// A [Stream] is the memory of one stream of objects: of a list, a watch, or of all requests of one owner. Its [Level] says
// how much it remembers of their contents. Decoders of JSON and protobuf ask it for strings, maps, slices, structs and
// texts of FieldsV1 before they make new ones. [Quantities] are remembered apart, since they are copied, not shared.
//
// A [Score] belongs to one place of the objects, such as a field. It rises with each value there that came before, and
// falls with each that did not: where values do not come again, only a sample of them is looked up.
//
// # Limits
//
// Everything is bounded, in number and in length: a stream takes about a megabyte, or a few if objects share slices and
// structs. A value takes the place of another whose hash has the same upper bits. Strings, slices and structs are kept
// when they come for the second time, so that those that come once replace none.
//
// A Stream is not safe for concurrent use. What it returns may be in other objects, too, so that nobody may change it.
// Unless [Stream.Share] is set, that is only strings, and the texts of FieldsV1, which can be replaced as a whole.
package intern
