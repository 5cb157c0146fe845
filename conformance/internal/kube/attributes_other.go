//go:build !linux

package kube

import "syscall"

// attributes leave a process in the group of its parent, so that an interrupt from the terminal
// ends both.
func attributes() *syscall.SysProcAttr { return nil }
