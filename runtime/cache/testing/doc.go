// Package framework, named as client-go's, holds what tests of informers list and
// watch in the place of a server: [FakeControllerSource], to which a test adds objects,
// and which can lose events and connections as networks do.
//
// Tests of controllers that use a typed client are better served by its fake.
package framework
