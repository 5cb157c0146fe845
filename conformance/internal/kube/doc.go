// Package kube runs the real API server: kube-apiserver over etcd, both built from Go
// modules, on loopback, for as long as a test needs them.
//
// # Terms
//
// The binaries are what [Build] makes of the module tools/kubernetes, which pins their
// versions. A [Server] is one kube-apiserver over one etcd, started by [Start], with
// two users: the admin, who may do all, and the reader, who may do nothing. History is
// what the server remembers of the past: what changed since a resource version, which
// watches ask for, and what there was at one, which exact lists and continue tokens
// ask for.
//
// # Operations
//
// [Server.Config] and [Server.ReaderConfig] say how clients reach the server.
// [Server.Restart] stops kube-apiserver and starts it again where it was: watches end,
// connections break, the objects stay. [Server.Compact] makes etcd forget history.
// [Server.Stop] ends all and leaves nothing.
//
// # What makes a server answer 410 Gone
//
// History is kept twice: in etcd, until it is compacted, and in the memory of
// kube-apiserver, for watches the latest changes since it started, for lists a snapshot
// for each of them. So
//
//   - Compact alone changes little: watches go on from memory, as do lists, whose
//     snapshots, but for the latest, kube-apiserver drops when it next looks, which it
//     does each quarter of a minute.
//   - Restart alone makes watches from before it fail, as memory begins anew; exact
//     lists and continue tokens are answered from etcd.
//   - Compact, then Restart: whatever was read before is too old for watches, exact
//     lists and continue tokens alike.
//
// Events (of core and of events.k8s.io) are not kept in memory: for them Compact is
// enough.
//
// # Limits
//
// It is for Unix: etcd is reached by a socket in the server's folder, which is short
// enough as long as the folder of temporary files (TMPDIR) has a path below some 70
// bytes, and the port is shared with kube-apiserver by SO_REUSEPORT. On Linux both
// programs are killed when the process that started them dies, however it does;
// elsewhere they are only told to end by what ends it from the terminal. Their folder
// stays in that case.
//
// etcd does not wait for the disk, and what it holds is lost with the server. The admin
// is outside of priority and fairness; feature gates are as released.
package kube
