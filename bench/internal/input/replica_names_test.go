package input

import "testing"

// TestReplicaNames checks that the replicas of a large cluster have different names.
func TestReplicaNames(t *testing.T) {
	names := map[string]bool{}
	for i := range 1_000_000 {
		deployment := DeploymentOf(i)
		name := ReplicaNamespace(deployment) + "/" + random(deployment, 9) + suffix(i)
		if names[name] {
			t.Fatalf("replica %d has the name of another", i)
		}
		names[name] = true
	}
}
