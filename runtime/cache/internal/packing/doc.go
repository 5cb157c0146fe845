// Package packing keeps objects in a store as packed texts, which are decoded when somebody reads them.
//
// # Terms
//
// A [Packer] packs the objects of one informer. An [Object] is what the store, the queue and the log have in place of an object: its
// text, packed by a dictionary, and unpacked only what selects it: name, namespace and labels. Those of one kind, namespace and
// labels are a group, and have these in common. [Open] is the way back. A dictionary
// is made of the texts of other objects of the informer, evenly taken from the last ones, and again when texts no longer
// resemble it; the ones before live as long as objects need them.
//
// The objects of a group, such as the Pods of a Deployment, are packed by one of them, the first, if that takes at least a quarter
// less: see likeness. That one lives as long as others need it.
//
// A [codec.Text] is packed as it was received, and decoded for the first time when somebody reads it or a handler receives it.
//
// Objects that arrived decoded or were read last stay decoded, up to a number: readers of one object get the same one meanwhile.
//
// # Limits
//
// Nothing of a Secret is in a dictionary, in another object or in memory that is used again. Objects that cannot be
// packed stay as they are. Whether decoding gives back an object is checked for the first ones, and for all whose types decode
// themselves; nil and empty slices and maps count as equal there.
package packing
