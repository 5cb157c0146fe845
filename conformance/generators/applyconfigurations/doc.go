// Package applyconfigurations runs the apply configurations of the built-in API beside client-go's:
// every With and Get method of every type, and the functions that extract what was applied.
//
// Each method is called twice with filled arguments, by reflection; both sides must have the same
// JSON afterwards.
package applyconfigurations
