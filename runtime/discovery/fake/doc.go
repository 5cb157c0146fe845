// Package fake is discovery without a server, for tests.
//
// # Operations
//
// A [FakeDiscovery] answers from the Resources of a testing.Fake, and records what
// it was asked for as actions of that fake: "get" of the resources "group",
// "resource" and "version". Reactors on the fake see these actions and can make
// them fail; what a reactor returns beside an error is not used.
//
// # Limits
//
// Preferred resources are always none, and there is no aggregated discovery. The
// fields are to be set before first use.
package fake
