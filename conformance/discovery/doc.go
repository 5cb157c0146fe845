// Package discovery proves that the discovery client of the runtime asks a server
// for the same as client-go's, and makes the same of its answers; and that the fakes
// of both record the same actions.
//
// # Terms
//
// Both clients use one RoundTripper, which answers from a table of paths and
// notes what it was asked. What both return is compared value by value, errors by
// what they tell apart: ours have more words. Lists are compared without their order, which client-go leaves to
// chance where discovery is aggregated.
//
// # Limits
//
// Where the two differ on purpose, the tests of the runtime show what ours does;
// docs/compatibility.md says so.
package discovery
