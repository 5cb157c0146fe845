// Package snippets type-checks the code in the doc comments of the modules beside the root, whose own is checked by
// package internal/snippets.
package snippets
