// Package testing answers the calls of fake clientsets from memory.
package testing
