// Package register compares gen-register with register-gen: on the cases below testdata/apis, on
// k8s.io/api and on the API packages of real projects. Files that register their types by hand are
// left out, so that both generate registrations for all packages with +groupName.
//
// The files must be equal except for the line that names the generator, the names of imports and
// their order, and the build constraint in the syntax of Go 1.16, which only register-gen prints.
package register
