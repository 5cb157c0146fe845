// Package v1 contains the types of the examples of package generators.
//
// +groupName=library.example.com
package v1
