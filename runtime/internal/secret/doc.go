// Package secret hides credentials from logs, errors and panics.
//
// A Value is a credential inside of our own types. A Struct is the printed form of a type whose fields are
// exported and plain because client-go's are (a rest.Config), and which must therefore be printed by a method.
// A redacted text is one from which URL, Host or Header have removed possible credentials.
//
// Of and New hide a credential, Reveal returns it. fmt, encoding/json, encoding.TextMarshaler, log/slog, logr
// and klog print a Value as Mark. The same holds for a Value in an unexported field, where fmt calls no
// methods, and for printers that follow pointers by reflection: the credential is not in any field but in a
// function, of which they see an address.
//
// A Struct only protects against printers that call the methods of its type. A printer that is configured to
// call no methods (spew with DisableMethods, k8s.io/utils/dump), fmt for a struct with a rest.Config in an
// unexported field, and fmt with misused verbs p and w see plain exported fields. Package rest documents both
// lists for users.
package secret
