// Package v1 has kinds with generic parts.
//
// +groupName=moulds.example.com
package v1
