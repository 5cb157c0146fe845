//go:build !incomplete

package v1

// LidMode says how a lid closes.
type LidMode string
