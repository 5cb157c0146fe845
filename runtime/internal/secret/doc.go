// Package secret holds what must never be seen in a log, an error or a panic.
//
// Terms: a Value is a credential inside of our own types. A Struct is the printed form of a
// type whose fields are public and plain because client-go's are (a rest.Config), and which
// therefore must be printed by a method. A redacted text is one from which URL, Host,
// Header have taken what may be a credential.
//
// Operations: Of and New hide a credential, Reveal gives it back to the one who sends it.
// Whatever fmt, encoding/json, encoding.TextMarshaler, log/slog, logr and klog print of
// a Value is Mark; so it is for a Value in an unexported field, where fmt calls no methods,
// and for printers that walk through pointers with reflection: the credential is in no
// field at all but in a function, of which they see an address.
//
// Limits: a Struct guards what is printed through a method of its type. A printer that
// is told to call no methods (spew with DisableMethods, k8s.io/utils/dump), fmt on a
// struct that holds a rest.Config in an unexported field, and fmt with the verbs p and w
// where they are misused, see plain public fields. Package rest has both lists, for users.
package secret
