// Package watch decodes and encodes watch streams.
package watch
