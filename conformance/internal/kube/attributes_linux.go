package kube

import "syscall"

// attributes put a process into its own process group, which the terminal does not interrupt, and
// make the kernel kill it when the thread that started it ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
