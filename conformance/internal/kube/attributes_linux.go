package kube

import "syscall"

// attributes make a process a group of its own, which the terminal does not interrupt,
// and which the kernel kills when the thread that started it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
