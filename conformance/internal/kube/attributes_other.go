//go:build !linux

package kube

import "syscall"

// attributes leave a process in the group of its parent, so that what interrupts that
// from the terminal ends it, too.
func attributes() *syscall.SysProcAttr { return nil }
