//go:build unix

package disk

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openFlags makes opening a named pipe return at once, so that it can be refused.
const openFlags = syscall.O_NONBLOCK

// writableByOthers are the permissions of group and others to write.
const writableByOthers = 0o022

// private returns an error that is [ErrNotPrivate] if users other than the current one, and root, may write.
func private(info fs.FileInfo) error {
	if info.Mode().Perm()&writableByOthers != 0 {
		return fmt.Errorf("%w (mode %v): remove the permission with chmod go-w, or use another directory", ErrNotPrivate, info.Mode())
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if ok && stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%w: it belongs to user %d; use another directory", ErrNotPrivate, stat.Uid)
	}
	return nil
}
