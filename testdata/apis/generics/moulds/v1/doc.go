// Package v1 has kinds made of one generic base.
//
// +groupName=moulds.example.com
package v1
