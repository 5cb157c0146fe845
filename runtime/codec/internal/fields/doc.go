// Package fields selects fields of objects by paths of JSON names, such as spec.nodeName.
//
// # Terms
//
// A [Set] is what [Parse] makes of paths. Lists and maps are passed through: spec.containers.image is the image of each
// container. A path keeps all that is below it. One that begins with - leaves out, of what another path keeps; the
// longest path that leads to a field decides. A [Node] is what a set keeps of one value. An object of which a set has
// left something out is cut.
//
// Some metadata is always kept, see [Parse]. The field metadata.selfLink never is: it takes the mark of cut objects.
//
// # Operations
//
// [Set.Check] compares the paths with a Go type, and [Set.Prune] cuts an object that was decoded whole. Decoders do
// so while they decode, by the nodes, and mark the object. [CheckPatch] finds patches that would change what was cut.
//
// # Limits
//
// Entries of a map cannot be selected, nor what is below a value that decodes itself. If annotations are left out,
// decoders still keep the one by which a bookmark of a watch ends the initial events; Prune removes it from objects.
package fields
