// Package v1 has the apply configurations of metadata: the types of what is common to all
// objects, with every field optional, for server-side apply. Emitted apply configurations
// embed them. Each type is made by its function without arguments, such as [ObjectMeta],
// and filled by its With methods, which return it; it may be changed by one goroutine at a
// time.
package v1
