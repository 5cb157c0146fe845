//go:build !unix

package disk

import "io/fs"

const openFlags = 0

// private returns nil: there are no Unix permissions.
func private(fs.FileInfo) error { return nil }
