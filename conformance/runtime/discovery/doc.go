// Package discovery checks that the runtime's discovery client sends the same requests as
// client-go's and returns the same results, and that both fakes record the same actions.
//
// # Terms
//
// Both clients use one RoundTripper, which responds from a table of paths and records requests.
// Results are compared value by value, errors by their types and sentinels, because the texts of
// ours contain more. Lists are compared without their order, which is random in client-go if
// discovery is aggregated.
//
// # Limits
//
// Intentional differences are covered by the runtime's tests and listed in docs/compatibility.md.
package discovery
