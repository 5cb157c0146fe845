// Package shards checks replicas of a controller that share objects, as processes, on the real API server and on apitest.
//
// # Terms
//
// A replica is a process of the test's own binary, or of testdata/manager, a manager of controller-runtime. It is a member of
// one ring, and reaches the server through its own proxy. Its controller copies a field of each of its objects and writes
// the names of itself and of its term beside it. The load changes, deletes and creates objects all the time. The audit
// watches the objects and the ring's Lease: because resource versions of a server are a sequence, it knows which term owned
// the slot of an object when the object was written.
//
// # Operations
//
// In each round one replica is killed, suspended or cut off from the server, or there are 1, then 5, then 2 replicas. The
// round ends when the slots are shared equally and each object was written by its owner, in the state that the load gave
// it. Nothing may be written by a replica that did not own the object, and no slot may move that need not. Most of a round
// is waiting for Leases to expire: so there may be several worlds on one server at the same time, each with its namespace, ring,
// objects and faults.
//
//	make shards
//	cd conformance && go test -v -tags kube -run TestOnKube -parallel 4 ./server/shards -worlds=4 -rounds=5
//
// run more rounds than usual, and log how long it takes until objects have another owner, beside leader election with the
// same durations; and what each replica requests and receives, where the server sends it its part and where it does not.
package shards
