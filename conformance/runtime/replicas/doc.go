// Package replicas measures what the API server and each replica get when replicas share objects by a ring
// (kubernetes/shards), beside leader election, and writes docs/replicas.md: requests of rings and elections of up to 100
// replicas, and bytes of lists and watches with the gate ShardedListAndWatch and without. Everything runs on apitest in a
// bubble of testing/synctest, so that minutes pass in a moment. The numbers are in testdata/numbers.json; the test
// compares what it measures with them, and what the document says:
//
//	LISTWATCH_UPDATE=1 go test ./runtime/replicas
package replicas
