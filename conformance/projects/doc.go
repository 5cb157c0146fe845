// Package projects generates clients for the API types of real projects, at pinned
// versions from the Go module proxy: without flags, and with the options of the project's
// own scripts. The output must type-check in both flavours.
//
// The directories below are modules that package identity compares with code-generator's
// output. The tests here download whole projects and are not part of "make conformance";
// "make projects" runs them.
package projects
