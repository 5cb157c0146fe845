// Package cluster runs kube-controller-manager and kube-scheduler, unchanged and with the line in go.mod that replaces
// client-go, on the real API server with many pods on nodes that are only objects.
//
// Both programs are built from tools/kubernetes, whose go.mod pins Kubernetes; with the line, another go.mod beside it
// is used. On the same objects each program does the same in each run: the controller manager makes the replica set
// and the pods of a Deployment that was created before it started, completes a Job whose pod succeeds, and collects
// what belongs to a deleted Deployment; the scheduler binds pods that were created before it started, and later ones.
// Time to ready is the time until the first of this is done.
//
//	make replace-cluster
//
// The test has the tag programs, since it compiles four programs.
package cluster
