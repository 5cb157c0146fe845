// Package projects generates for the API types of real projects, at pinned
// versions from the Go module proxy: without flags, and with the options of the project's
// own scripts. The output must type-check in both flavours. What is written beside the clients is
// compared with controller-gen's output.
//
// # Refusals
//
// Gen-all refuses a project only for what API servers or the compiler refuse. Each refusal is in the table with its reason, and
// in docs/projects.md. The rows of that document are those of the projects that ran; it keeps the others, so that a run can have a
// filter.
//
// The tests download whole projects and are not part of "make conformance"; "make projects" runs them. Package identity
// compares the clients of a few projects with code-generator's.
package projects
