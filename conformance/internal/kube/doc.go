// Package kube runs the real API server: kube-apiserver and etcd, both built from Go modules, on
// the loopback interface, as long as a test needs them.
//
// # Terms
//
// The binaries are built by [Build] from the module tools/kubernetes, which pins their versions. A
// [Server] is one kube-apiserver with one etcd, started by [Start], with two users: the admin, who
// has all permissions, and the reader, who has none. History is the server's past: the changes
// since a resource version, for watches, and the state at one, for exact lists and continue tokens.
//
// # Operations
//
// [Server.Config] and [Server.ReaderConfig] return configs for clients. [Server.Restart] stops
// kube-apiserver and starts it again at the same address: watches end, connections break, the
// objects stay. [Server.Compact] makes etcd discard history. [Server.Stop] ends everything and
// leaves nothing behind.
//
// # When a server responds with 410 Gone
//
// History is stored twice: in etcd, until it is compacted, and in the memory of kube-apiserver, for
// watches the latest changes since it started, for lists a snapshot for each of them. Therefore
//
//   - Compact alone changes little: watches continue from memory, as do lists, whose snapshots, except the
//     latest, kube-apiserver drops at its next check, every 15 seconds.
//   - Restart alone makes watches from before it fail, because the memory is empty; exact lists and continue
//     tokens are served from etcd.
//   - After Compact and Restart, everything that was read before is too old for watches, exact lists and
//     continue tokens.
//
// Events (of core and of events.k8s.io) are not cached in memory: for them Compact suffices.
//
// # Limits
//
// The package works on Unix: etcd is reached by a socket in the server's directory, whose path is
// short enough if the path of the directory for temporary files (TMPDIR) is below about 70 bytes,
// and the port is shared with kube-apiserver by SO_REUSEPORT. On Linux both programs are killed
// when the process that started them dies in any way; elsewhere only an interrupt from the terminal
// ends them with it. In that case their directory is left behind.
//
// etcd does not sync to disk, and its data are deleted with the server. The admin is exempt from
// priority and fairness; feature gates have their released defaults.
package kube
