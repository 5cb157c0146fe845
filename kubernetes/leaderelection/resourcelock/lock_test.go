package resourcelock_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	"github.com/listwatch/listwatch/runtime/rest"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

var now = metav1.NewTime(time.Date(2000, 1, 2, 3, 4, 5, 678900000, time.UTC))

func record(holder string) resourcelock.LeaderElectionRecord {
	return resourcelock.LeaderElectionRecord{
		HolderIdentity: holder, LeaseDurationSeconds: 15, AcquireTime: now, RenewTime: now,
		LeaderTransitions: 3, Strategy: "Some", PreferredHolder: "other",
	}
}

// events is a recorder.
type events []string

func (e *events) Eventf(obj runtime.Object, eventType, reason, message string, args ...any) {
	lease := obj.(*coordinationv1.Lease)
	*e = append(*e, strings.Join([]string{lease.APIVersion, lease.Kind, lease.Namespace, lease.Name, eventType, reason, fmt.Sprintf(message, args...)}, " "))
}

func newLock(t *testing.T, clientset *fake.Clientset, labels map[string]string) (resourcelock.Interface, *events) {
	t.Helper()
	var e events
	lock, err := resourcelock.NewWithLabels("leases", "default", "lock", clientset.CoreV1(), clientset.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: "me", EventRecorder: &e}, labels)
	if err != nil {
		t.Fatal(err)
	}
	return lock, &e
}

func TestLeaseLock(t *testing.T) {
	clientset := fake.NewClientset()
	lock, events := newLock(t, clientset, map[string]string{"label": "ours"})
	lock.RecordEvent("is early")
	if err := lock.Update(t.Context(), record("me")); err == nil {
		t.Error("the lock updates a lease that it does not know")
	}
	if _, _, err := lock.Get(t.Context()); !apierrors.IsNotFound(err) {
		t.Errorf("error is %v", err)
	}
	if err := lock.Create(t.Context(), record("me")); err != nil {
		t.Fatal(err)
	}
	if err := lock.Create(t.Context(), record("me")); !apierrors.IsAlreadyExists(err) {
		t.Errorf("error is %v", err)
	}

	leases := clientset.CoordinationV1().Leases("default")
	lease, err := leases.Get(t.Context(), "lock", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"label": "ours"}, lease.Labels); diff != "" {
		t.Errorf("labels, -want +got:\n%s", diff)
	}
	lease.Labels = map[string]string{"label": "changed", "another": "kept"}
	if _, err = leases.Update(t.Context(), lease, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err = lock.Update(t.Context(), record("me")); !apierrors.IsConflict(err) {
		t.Errorf("error is %v, want a conflict", err)
	}
	got, raw, err := lock.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(record("me"), *got); diff != "" {
		t.Errorf("record, -want +got:\n%s", diff)
	}
	var decoded resourcelock.LeaderElectionRecord
	if err = json.Unmarshal(raw, &decoded); err != nil || decoded.HolderIdentity != "me" {
		t.Errorf("%s is decoded as %v, %v", raw, decoded, err)
	}
	later := record("me")
	later.RenewTime = metav1.NewTime(now.Add(time.Microsecond))
	if err = lock.Update(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	if _, next, failed := lock.Get(t.Context()); failed != nil || string(next) == string(raw) {
		t.Errorf("the encoded record after a renewal is %s, %v", next, failed)
	}
	if lease, err = leases.Get(t.Context(), "lock", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"label": "ours", "another": "kept"}, lease.Labels); diff != "" {
		t.Errorf("labels, -want +got:\n%s", diff)
	}
	lock.RecordEvent("became leader")
	want := []string{
		"coordination.k8s.io/v1 Lease default lock Normal LeaderElection me is early",
		"coordination.k8s.io/v1 Lease default lock Normal LeaderElection me became leader",
	}
	if diff := cmp.Diff(want, []string(*events)); diff != "" {
		t.Errorf("events, -want +got:\n%s", diff)
	}
	if lock.Describe() != "default/lock" || lock.Identity() != "me" {
		t.Errorf("the lock is %s of %s", lock.Describe(), lock.Identity())
	}
}

// A failed update does not change what the lock knows.
func TestFailedUpdate(t *testing.T) {
	clientset := fake.NewClientset()
	lock, _ := newLock(t, clientset, nil)
	if err := lock.Create(t.Context(), record("me")); err != nil {
		t.Fatal(err)
	}
	failing := true
	clientset.PrependReactor("update", "leases", func(clienttesting.Action) (bool, runtime.Object, error) {
		return failing, nil, errors.New("internal error")
	})
	if err := lock.Update(t.Context(), record("")); err == nil {
		t.Error("no error")
	}
	failing = false
	if err := lock.Update(t.Context(), record("me")); err != nil {
		t.Error(err)
	}
}

func TestLockTypes(t *testing.T) {
	for lockType, want := range map[string]string{
		"leases":           "",
		"endpoints":        "endpoints lock is removed, migrate to leases",
		"configmapsleases": "configmapsleases lock is removed, migrate to leases",
		"files":            "Invalid lock-type files",
	} {
		lock, err := resourcelock.New(lockType, "default", "lock", nil, nil, resourcelock.ResourceLockConfig{})
		if got := fmt.Sprint(err); want != "" && got != want || (want == "") != (lock != nil) {
			t.Errorf("%s: lock is %v, error %q, want %q", lockType, lock, got, want)
		}
	}
	config := &rest.Config{Host: "http://localhost"}
	if _, err := resourcelock.NewFromKubeconfig("leases", "default", "lock", resourcelock.ResourceLockConfig{}, config, time.Minute); err != nil {
		t.Error(err)
	}
	if config.Timeout != 0 || config.UserAgent != "" {
		t.Errorf("the config has been changed: %v", config)
	}
	if _, err := resourcelock.NewFromKubeconfig("leases", "default", "lock", resourcelock.ResourceLockConfig{}, &rest.Config{Host: "http://%"}, time.Minute); err == nil {
		t.Error("no error for an invalid host")
	}
}

func TestMultiLock(t *testing.T) {
	first, second := fake.NewClientset(), fake.NewClientset()
	a, _ := newLock(t, first, nil)
	b, _ := newLock(t, second, nil)
	lock := &resourcelock.MultiLock{Primary: a, Secondary: b}
	holder := func() string {
		t.Helper()
		got, _, err := lock.Get(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return got.HolderIdentity
	}
	if _, _, err := lock.Get(t.Context()); !apierrors.IsNotFound(err) {
		t.Errorf("error is %v", err)
	}
	if err := a.Create(t.Context(), record("old")); err != nil {
		t.Fatal(err)
	}
	if got := holder(); got != "old" {
		t.Errorf("holder is %q", got)
	}
	if err := lock.Update(t.Context(), record("me")); err != nil { // creates the second
		t.Fatal(err)
	}
	if got := holder(); got != "me" {
		t.Errorf("holder is %q", got)
	}
	if err := a.Update(t.Context(), record("old")); err != nil {
		t.Fatal(err)
	}
	if got := holder(); got != resourcelock.UnknownLeader {
		t.Errorf("holder is %q", got)
	}
}
