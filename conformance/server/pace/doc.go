// Package pace measures how long servers take for what controllers observe: the response to a write, its event, and the
// next write of the same request. The test logs the medians, of which docs/pace.md has some; with the tag kube, it
// measures kube-apiserver on etcd too.
package pace
