// Package sharing lets the objects of a cache share what is equal in them.
//
// A part is what an object points to: a map, a slice, a value behind a pointer. Objects of one kind are
// full of parts that are equal in many of them: the labels of what one controller made, selectors,
// resource requirements, managed fields. [Transform] returns a transform for informers that replaces
// each part by an equal one that it has seen before, so that it is held once:
//
//	factory := externalversions.NewSharedInformerFactoryWithOptions(client, 0,
//		externalversions.WithTransform(sharing.Transform()))
//
// It costs some microseconds an object, and saves about half the memory of typical ones.
//
// # Limits
//
// Who changes an object of a cache without copying it first, which is an error at any time, changes the other
// objects that share the part as well.
//
// Which parts are remembered is a matter of luck and not of time: there are as many places as [Places],
// and a part takes the place of another whose hash is the same there. What is in unexported fields is not
// shared.
package sharing
