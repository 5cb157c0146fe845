// Package footprint estimates how much memory objects take, from their types and contents.
//
// # Terms
//
// The size of an object is what the allocator hands out for it: the struct, and the strings, slices, maps and values that it
// refers to, each rounded up to a size of the allocator. Short strings and numbers behind pointers are not
// rounded: decoders put those of an object next to each other. A [Sample] tells what part of the sizes of many objects is counted more
// than once, because objects share parts.
//
// # Operations
//
// What matters of a type is compiled once, so that only fields that refer to other memory are looked at: a Pod takes a few
// microseconds.
//
// # Limits
//
// Fields that are not exported are not read, as types such as [resource.Quantity] write them when they are read: what they
// refer to is not counted. Values that refer to themselves are followed to a depth of 10,000.
package footprint
