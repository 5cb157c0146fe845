// Package jsonscan reads JSON that is held as bytes, strictly and without allocating.
//
// # Terms
//
// A position is an index into a text. [Bad] is the position that functions return for a text that is not JSON, or
// that they leave to another decoder: values that are more than [Depth] deep, and numbers beyond those documented.
// A name is the name of a member of an object.
//
// # Operations
//
// [Space], [Value], [Number] and [Null] return the position after what is at a position. [Scanner.String] returns
// a string too, and its hash, computed in the same pass. [Members] and [Elements] pass on what is in an object or
// an array. [Integer] and [Float] parse numbers, [Seconds] times. [Frame] finds the end of a value that arrives in
// parts, without checking it. [Pointer] returns the JSON pointer to the value at a position.
//
// # Limits
//
// Strings that are not valid UTF-8 are accepted, as by encoding/json: the bytes in question become U+FFFD.
package jsonscan
