// Package apitest runs a Kubernetes API server inside a test or a program.
package apitest
