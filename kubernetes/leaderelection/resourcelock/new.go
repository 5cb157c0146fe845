package resourcelock

import (
	"fmt"
	"time"

	coordinationv1 "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
	corev1 "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	"github.com/listwatch/listwatch/runtime/rest"
)

// LeasesResourceLock is the lock type of Leases, the only one.
const LeasesResourceLock = "leases"

// New returns a lock in the Lease with the given namespace and name. lockType must be [LeasesResourceLock].
// coreClient is not used and may be nil.
func New(lockType, ns, name string, coreClient corev1.CoreV1Interface, coordinationClient coordinationv1.CoordinationV1Interface, rlc ResourceLockConfig) (Interface, error) {
	return NewWithLabels(lockType, ns, name, coreClient, coordinationClient, rlc, nil)
}

// NewWithLabels is [New] for a lock that sets labels on the Lease whenever it writes it.
func NewWithLabels(lockType, ns, name string, _ corev1.CoreV1Interface, coordinationClient coordinationv1.CoordinationV1Interface, rlc ResourceLockConfig, labels map[string]string) (Interface, error) {
	if err := checkType(lockType); err != nil {
		return nil, err
	}
	lock := &LeaseLock{Client: coordinationClient, LockConfig: rlc, Labels: labels}
	lock.LeaseMeta.Namespace, lock.LeaseMeta.Name = ns, name
	return lock, nil
}

// NewFromKubeconfig is [New] with its own client for a config, which is not changed. The client's timeout is
// half of the renew deadline, and at least a second, so that one request without a response does not end
// leadership. It returns an error if there is no client for the config.
func NewFromKubeconfig(lockType, ns, name string, rlc ResourceLockConfig, kubeconfig *rest.Config, renewDeadline time.Duration) (Interface, error) {
	config := rest.CopyConfig(kubeconfig)
	config.Timeout = max(time.Second, renewDeadline/2)
	client, err := coordinationv1.NewForConfig(rest.AddUserAgent(config, "leader-election"))
	if err != nil {
		return nil, fmt.Errorf("create the client of leader election: %w", err)
	}
	return New(lockType, ns, name, nil, client, rlc)
}

func checkType(lockType string) error {
	switch lockType {
	case LeasesResourceLock:
		return nil
	case "endpoints", "configmaps", "endpointsleases", "configmapsleases":
		return fmt.Errorf("%s lock is removed, migrate to %s", lockType, LeasesResourceLock)
	}
	return fmt.Errorf("Invalid lock-type %s", lockType) //nolint:staticcheck // the text of client-go
}
