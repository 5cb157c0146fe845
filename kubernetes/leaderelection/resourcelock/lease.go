package resourcelock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	coordinationv1client "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
)

// LeaseLock stores the record in the spec of a Lease. Its exported fields must not change once it is in use.
type LeaseLock struct {
	// LeaseMeta contains the namespace and the name of the Lease; the other fields are ignored.
	LeaseMeta metav1.ObjectMeta
	// Client sends the requests. Its timeout should be shorter than the renew deadline, so that a request
	// without a response can be repeated; see [NewFromKubeconfig].
	Client     coordinationv1client.LeasesGetter
	LockConfig ResourceLockConfig
	// Labels are set on the Lease by each write. Its other labels are not changed.
	Labels map[string]string

	// lease is what the last successful request returned: its resource version is the precondition of the
	// next update.
	lease *coordinationv1.Lease
}

var _ Interface = (*LeaseLock)(nil)

// Get implements [Interface]. The encoded form of the record is the spec of the Lease in JSON.
func (ll *LeaseLock) Get(ctx context.Context) (*LeaderElectionRecord, []byte, error) {
	lease, err := ll.client().Get(ctx, ll.LeaseMeta.Name, metav1.GetOptions{})
	if err != nil {
		return nil, nil, err
	}
	encoded, err := json.Marshal(lease.Spec)
	if err != nil {
		return nil, nil, err
	}
	ll.lease = lease
	return LeaseSpecToLeaderElectionRecord(&lease.Spec), encoded, nil
}

// Create implements [Interface].
func (ll *LeaseLock) Create(ctx context.Context, ler LeaderElectionRecord) error {
	lease, err := ll.client().Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ll.LeaseMeta.Namespace,
			Name:      ll.LeaseMeta.Name,
			Labels:    ll.Labels,
		},
		Spec: LeaderElectionRecordToLeaseSpec(&ler),
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	ll.lease = lease
	return nil
}

// Update implements [Interface]. It fails before the first Get or Create that succeeds.
func (ll *LeaseLock) Update(ctx context.Context, ler LeaderElectionRecord) error {
	if ll.lease == nil {
		return errors.New("lease not initialized, call get or create first")
	}
	lease := ll.lease.DeepCopy()
	lease.Spec = LeaderElectionRecordToLeaseSpec(&ler)
	if lease.Labels == nil && ll.Labels != nil {
		lease.Labels = map[string]string{}
	}
	maps.Copy(lease.Labels, ll.Labels)
	lease, err := ll.client().Update(ctx, lease, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	ll.lease = lease
	return nil
}

// RecordEvent implements [Interface]: the event is about the Lease, its type is Normal, its reason
// LeaderElection.
func (ll *LeaseLock) RecordEvent(text string) {
	if ll.LockConfig.EventRecorder == nil {
		return
	}
	meta := metav1.ObjectMeta{Namespace: ll.LeaseMeta.Namespace, Name: ll.LeaseMeta.Name}
	if ll.lease != nil {
		meta = ll.lease.ObjectMeta
	}
	lease := &coordinationv1.Lease{
		// Otherwise the recorder would need a scheme that knows Leases.
		TypeMeta:   metav1.TypeMeta{Kind: "Lease", APIVersion: coordinationv1.SchemeGroupVersion.String()},
		ObjectMeta: meta,
	}
	ll.LockConfig.EventRecorder.Eventf(lease, corev1.EventTypeNormal, "LeaderElection", "%s %s", ll.LockConfig.Identity, text)
}

// Identity implements [Interface].
func (ll *LeaseLock) Identity() string { return ll.LockConfig.Identity }

// Describe implements [Interface]: it returns namespace and name.
func (ll *LeaseLock) Describe() string {
	return fmt.Sprintf("%s/%s", ll.LeaseMeta.Namespace, ll.LeaseMeta.Name)
}

func (ll *LeaseLock) client() coordinationv1client.LeaseInterface {
	return ll.Client.Leases(ll.LeaseMeta.Namespace)
}
