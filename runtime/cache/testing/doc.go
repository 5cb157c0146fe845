// Package framework, named as in client-go, provides a source of objects for tests of informers, in
// place of a server: [FakeControllerSource], to which a test adds objects, and which can lose
// events and connections like a network.
//
// For tests of controllers with a typed client, its fake is a better choice.
package framework
