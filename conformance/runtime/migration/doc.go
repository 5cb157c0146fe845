// Package migration checks that a controller moves from client-go to listwatch by its import paths alone. The controller is
// package librarian, on the runtime; the tests make its copy on client-go, run both through one script, and check that
// listwatch-migrate makes the controller of the copy again.
package migration
