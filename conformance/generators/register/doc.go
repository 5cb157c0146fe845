// Package register compares gen-register with register-gen: on the cases below testdata/apis, on
// k8s.io/api and on the API packages of real projects. Files that register their types by hand are
// left out, so that both generate registrations for all packages with +groupName.
//
// The code in the files must be equal except for the names of imports and their order, and for the
// function Kind, which only gen-register generates. Comments differ.
package register
