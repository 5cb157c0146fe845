// Package breaking checks what gen-all --check-breaking says of changes of schemas against the API server's own
// code: random objects that are valid under one schema are read under the other.
//
// A change that is called compatible with stored objects must not make a valid object invalid, nor drop a part
// of it. How often the opposite verdict is confirmed by an object is logged.
package breaking
