package leaderelection

import (
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"k8s.io/client-go/internal/clientset"
	"k8s.io/client-go/kubernetes"
)

// NewCandidate returns a candidate for the lease targetLease in the same namespace, and a waiter for its
// informer. The candidate does nothing before it runs. Versions are semantic versions; the strategy is how
// Kubernetes chooses among candidates. A replica also runs an elector whose config is Coordinated, and whose
// identity is candidateName.
//
// The server must have the feature gate CoordinatedLeaderElection and the API coordination.k8s.io/v1beta1.
func NewCandidate(client kubernetes.Interface,
	candidateNamespace, candidateName, targetLease string,
	binaryVersion, emulationVersion string,
	strategy coordinationv1.CoordinatedLeaseStrategy,
) (*LeaseCandidate, CacheSyncWaiter, error) {
	return leaderelection.NewCandidate(clientset.Narrow(client),
		candidateNamespace, candidateName, targetLease, binaryVersion, emulationVersion, strategy)
}
