package plugins

import (
	"context"
	"fmt"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/quota"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	"k8s.io/apiserver/pkg/endpoints/request"
	quotav1 "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/storage"
)

var quotas = corev1.SchemeGroupVersion.WithResource("resourcequotas")

// quotaAdmission rejects requests that exceed a ResourceQuota, and counts the others in its status. Somebody else sets
// what quotas allow there, and counts again what is deleted.
type quotaAdmission struct {
	reader stores.Reader

	mu sync.Mutex // held from reading quotas to writing their status
}

// Handles implements admission.Interface.
func (q *quotaAdmission) Handles(op admission.Operation) bool {
	return op == admission.Create || op == admission.Update
}

// Validate implements admission.ValidationInterface.
func (q *quotaAdmission) Validate(ctx context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	gr := a.GetResource().GroupResource()
	if a.GetNamespace() == "" || a.GetKind().GroupKind() == corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind() || quota.Ignored(gr) {
		return nil
	}
	evaluator := quota.For(gr, nil)
	if !evaluator.Handles(a) {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	list, err := stores.ListWritten[corev1.ResourceQuotaList](ctx, q.reader, quotas, a.GetNamespace())
	if err != nil || len(list.Items) == 0 {
		return err
	}
	shared := list.Items
	before := make([]corev1.ResourceQuota, len(shared))
	for i := range shared {
		before[i] = *shared[i].DeepCopy()
	}
	after, err := resourcequota.CheckRequest(before, a, evaluator, nil)
	if err != nil || a.IsDryRun() {
		return err
	}
	for i := range after {
		if quotav1.Equals(after[i].Status.Used, shared[i].Status.Used) {
			continue
		}
		if err := q.count(ctx, &after[i]); err != nil {
			return admission.NewForbidden(a, err)
		}
	}
	return nil
}

// count stores what is used of a quota.
func (q *quotaAdmission) count(ctx context.Context, counted *corev1.ResourceQuota) error {
	st, err := q.reader.Open(quotas)
	if err != nil {
		return apierrors.NewInternalError(fmt.Errorf("find quotas: %w", err))
	}
	ctx = request.WithNamespace(ctx, counted.Namespace)
	key, err := st.KeyFunc(ctx, counted.Name)
	if err != nil {
		return err
	}
	return st.Storage.GuaranteedUpdate(ctx, key, &corev1.ResourceQuota{}, true, &storage.Preconditions{UID: &counted.UID},
		storage.SimpleUpdate(func(existing runtime.Object) (runtime.Object, error) {
			object := existing.(*corev1.ResourceQuota)
			object.Status.Used = counted.Status.Used
			return object, nil
		}), false, nil)
}
