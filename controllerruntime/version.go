package controllerruntime

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// NotOlderThan is an option of Get and List, with a resource version, which may be of an object of the same resource:
// the result is of this version or a later one.
//
//	err := reader.List(ctx, &pods, client.InNamespace("bay"), controllerruntime.NotOlderThan(pod.ResourceVersion))
//
// Reads of a cache of [NewCache] wait until its source of the namespace has reached the version, or all sources if
// there is no namespace. Without changes of selected objects a source learns only from the next bookmark, about a
// minute later, that it has; a read waits up to 10 seconds, or until its context is done, and then fails with a timeout in the sense of
// apierrors.IsTimeout. Reads of the server request it with resourceVersionMatch=NotOlderThan.
//
// The empty version and "0" have no effect. It replaces the resource version in the option's field Raw, which a cache
// ignores otherwise, as controller-runtime's does.
type NotOlderThan string

var (
	_ client.GetOption  = NotOlderThan("")
	_ client.ListOption = NotOlderThan("")
)

// ApplyToGet implements [client.GetOption].
func (rv NotOlderThan) ApplyToGet(options *client.GetOptions) {
	raw := metav1.GetOptions{}
	if options.Raw != nil {
		raw = *options.Raw
	}
	raw.ResourceVersion = string(rv)
	options.Raw = &raw
}

// ApplyToList implements [client.ListOption].
func (rv NotOlderThan) ApplyToList(options *client.ListOptions) {
	raw := metav1.ListOptions{}
	if options.Raw != nil {
		raw = *options.Raw
	}
	raw.ResourceVersion, raw.ResourceVersionMatch = string(rv), ""
	if rv != "" {
		raw.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	}
	options.Raw = &raw
}

// versionOfGet returns the version that a read of a cache must have, empty for any.
func versionOfGet(opts []client.GetOption) (rv string) {
	for _, option := range opts {
		if version, ok := option.(NotOlderThan); ok {
			rv = string(version)
		}
	}
	return rv
}

// versionOfList returns the version that a list from a cache must have, empty for any.
func versionOfList(options client.ListOptions) string {
	if options.Raw == nil || options.Raw.ResourceVersionMatch != metav1.ResourceVersionMatchNotOlderThan {
		return ""
	}
	return options.Raw.ResourceVersion
}
