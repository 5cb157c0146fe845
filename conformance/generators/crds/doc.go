// Package crds compares the CustomResourceDefinitions of gen-crd with controller-gen's: their
// content, and what API servers answer to objects under both.
//
// # Terms
//
// A [Manifest] is a definition without what says nothing of its meaning: the version of the tool,
// the order of keys, an empty status. A [Difference] is a place where two manifests differ.
// A [Judge] answers an object as the API server does under a manifest: what it stores, or why it
// refuses the object. [Objects] are random objects for a schema, most of them spoilt in one way.
//
// # Operations
//
// [Theirs] runs controller-gen and [Ours] runs gen-crd on the same packages with the same
// [Options]; [Compare] returns the differences. Every difference that is meant is a row of
// exceptions with its reason; others fail, as does a row without a difference.
//
// # Limits
//
// Objects are judged by the packages of k8s.io/apiextensions-apiserver in this process; only
// samples are sent to servers.
package crds
