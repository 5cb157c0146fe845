// Package watch decodes and encodes watch streams.
//
// A watch stream is a sequence of frames, {"type": ..., "object": ...}, with or without space between them. The
// type is ADDED, MODIFIED, DELETED, BOOKMARK or ERROR; the object is of any kind that the object decoder
// supports, a Status for errors. The object of the bookmark that ends the initial events of a watch is a
// PartialObjectMetadata if its type has no annotations to tell so, as those of views.
//
// [NewStreamDecoder] decodes JSON frames in one pass: the object is decoded from the buffer into which the
// stream was read. [NewProtobufDecoder] does so for protobuf, whose frames begin with their lengths. [NewDecoder] and
// [NewEncoder] work in two steps for any format, with a streaming decoder for frames and an object decoder, as in
// client-go's package rest/watch. The decoders return the same events and fail at the same position. They differ in
// limits: a frame of more than 16 MiB ends the stream of the first two while it is read; the third reads it whole and
// continues after it. The nesting of an object in JSON (up to 10,000 levels) is counted from the object by the first,
// from the frame by the third.
package watch
