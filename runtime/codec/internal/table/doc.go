// Package table decodes JSON into Go types as sigs.k8s.io/json does, by tables that are compiled once a type.
//
// # Terms
//
// The exact decoder is sigs.k8s.io/json. A [Table] says how each field of a struct is decoded. Fields that it does
// not know are unsupported: by their type, such as an array or a map by integers, or by their tags: an embedded pointer, the
// option string, two fields of one name. The exact decoder decodes those members alone, from the text of an object
// that has nothing else, into the same struct. [Explain] lists what is unsupported in a type, and why.
//
// A [Decoder] decodes the objects of one stream. Where it is not sure it falls back: it returns false, and the exact
// decoder has to decode the whole object, whose result or error counts. It falls back for a member that is repeated, a
// value of another type, whole numbers beyond 64 bits, values deeper than 64, and all that is invalid. At
// the top, it does so for names that differ from kind and apiVersion only in case.
//
// # What is learned
//
// A decoder learns which field follows which, how long slices are, how much memory an object takes, and which
// strings come again. All of it is about speed, and belongs to one stream; it grows with what arrives, up to about
// a megabyte, or a few with Share. A string is remembered when it comes for the second time. For each field, for each of the first entries of
// a map, and for each of the first elements of a slice, the decoder also remembers the last such string, with which it
// compares the next one before it reads and looks up that. Decoders of single objects, which come from a pool, remember
// up to 256 strings of up to 64 bytes, and those last ones; of Secrets, and of what may be one, all remember nothing.
//
// # Ownership
//
// Objects do not reference the text. Equal strings may be one in memory; everything else belongs to the object, unless
// [Decoder.Stream] shares parts. Then a part of an object, which is a slice, a map or what a pointer points to, may be that of
// an object before, if its text came before: the decoder skips the text of a part, looks it up, and decodes the part if it
// is new. Of a part in which members are skipped, it looks up the text without these. It keeps the part when the text comes for the second time, in memory of its own. Where the parts of a field do
// not come again, it soon looks up only every 16th.
package table
