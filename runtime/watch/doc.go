// Package watch decodes and encodes watch streams.
//
// A watch stream is a sequence of frames, {"type": ..., "object": ...}, with or
// without space between them. The type is one of ADDED, MODIFIED, DELETED,
// BOOKMARK and ERROR; the object is of any kind that the decoder for objects
// knows, a Status for errors.
//
// [NewStreamDecoder] decodes frames of JSON in one pass: the object is decoded
// out of the buffer that the stream was read into. [NewDecoder] and [NewEncoder]
// do the same in two steps for any format, by a streaming decoder for frames and
// a decoder for objects, as client-go's package rest/watch. The two decoders give
// the same events and fail at the same place. Their difference is what they hold:
// a frame of more than 16 MiB ends the first while it is read, and after that the
// stream; the second reads it whole, and goes on after it. How deep an object may
// be nested (10,000 levels) is counted from the object by the first, from the
// frame by the second.
package watch
