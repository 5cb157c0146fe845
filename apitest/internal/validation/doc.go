// Package validation checks objects of built-in kinds, with the texts of the real API server.
//
// # Terms
//
// Kubernetes' own validation is Go code in k8s.io/kubernetes, a module that others cannot require.
// Here, most of it is data: the tables, which list checks for the fields of Go types.
//
//	core/v1.Container
//	    name             required  dns-label
//	    imagePullPolicy  enum(Always, IfNotPresent, Never)
//	    *                mounts
//
// A line without indentation is a type of k8s.io/api. The lines below it are its fields, by their
// name in JSON, each with checks. "*" is the object itself, "name[]" each item of a list or value of
// a map, "name{}" each key of a map. "last" before the checks defers them until all others are
// done, as the real server does with the checks that its types declare. "unchecked" means that the values in the
// field are not checked by their rows, "created" that they and the field are checked of new objects only. The values
// in a list with more than "max-items" are not checked.
//
// The checks of a field run in order until one reports errors. Then the values in the field are
// checked by the rows of their types. Fields without a row come last. Except for "required" and
// functions, checks skip missing values: nil pointers, and zero values that are neither pointers nor items or keys.
//
// "/status" or "/approval" after the name of a type precedes rows that concern an object when this subresource is
// written, after those of its status' type and before the last of them. Only "*" is a field there.
//
// A check is a general one with arguments, such as enum, or the name of a function, for what
// concerns several fields.
//
// # Limits
//
// The status of an object is checked only when it is written. Its metadata is not, since k8s.io/apiserver checks it.
// docs/conformance.md lists the invalid objects that are compared with the real server, in the clause
// validation, and docs/validation.md the fields that are not checked.
package validation
