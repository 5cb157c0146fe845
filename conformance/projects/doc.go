// Package projects generates clients for the API types of real projects, at pinned
// versions from the Go module proxy: with no flags at all, as a newcomer would, and with
// the options of the project's own scripts. What comes of it must type-check in both
// flavours.
//
// The folders below are modules that package identity compares with code-generator's
// output. The tests here download whole projects and are not part of "make conformance";
// "make projects" runs them.
package projects
