// Package fake provides discovery for tests without a server.
//
// A [FakeDiscovery] returns the Resources of a testing.Fake, and records each call as an action of that fake:
// "get" of the resources "group", "resource" and "version". Reactors on the fake receive these actions and can
// make them fail; objects that a reactor returns are ignored.
//
// # Limits
//
// Preferred resources are always empty, and there is no aggregated discovery. Set the fields before first use.
package fake
