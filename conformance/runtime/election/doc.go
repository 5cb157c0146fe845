// Package election checks leader election of replicas that are processes, on the real API server and on
// apitest. In each round, the leader is killed, loses its network, is suspended, is shut down, or has its wall
// clock set, and the test waits until a replica leads as it should. It checks that there are never two leaders,
// and that no write of a former leader follows one of its successor.
//
// # Terms
//
// An election has two replicas and a Lease. Each replica is a process of the test's own binary, and reaches the
// server through its own proxy. The ledger is a ConfigMap in which the leader counts, with its fencing token:
// a replica leaves it alone if it has the token of a later term. At the end of its term a replica tries to write
// once more, as a request would that was on its way.
//
// TestWrites compares the writes of an elector with those of client-go's, in scenarios without other electors.
//
// # Operations
//
//	go test -v ./runtime/election -rounds=200
//	go test -v -tags kube -run TestOnKube ./runtime/election -rounds=200
//
// run more rounds than usual, and log how long a successor needed.
package election
