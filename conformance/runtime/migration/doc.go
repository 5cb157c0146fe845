// Package migration proves that a controller moves from client-go to listwatch by its
// import paths alone: clientgo and listwatch hold the same controller, on each of them,
// and the tests hold the copies against each other and run both through one script.
package migration
