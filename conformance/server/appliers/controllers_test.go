//go:build programs

package appliers_test

import (
	"context"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// interval is the time between two reads of a controller.
const interval = 20 * time.Millisecond

// finish makes jobs end while the next program runs.
func finish(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 || args[1] != "complete" && args[1] != "failed" {
		ts.Fatalf("want a job, and complete or failed")
	}
	control(ts, "batch/v1/jobs/"+args[0], func(job *unstructured.Unstructured) map[string]any {
		if _, started, _ := unstructured.NestedString(job.Object, "status", "startTime"); started { // which has the type of the schema
			return nil
		}
		status := map[string]any{"startTime": now(), "ready": int64(0), "terminating": int64(0), "uncountedTerminatedPods": map[string]any{}}
		if args[1] == "failed" {
			status["failed"] = int64(1)
			status["conditions"] = []any{condition("FailureTarget", "Script"), condition("Failed", "Script")}
			return status
		}
		status["succeeded"], status["completionTime"] = int64(1), now()
		status["conditions"] = []any{condition("SuccessCriteriaMet", "Script"), condition("Complete", "Script")}
		return status
	})
}

// ready makes a deployment ready while the next program runs.
func ready(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("want a deployment")
	}
	control(ts, "apps/v1/deployments/"+args[0], func(d *unstructured.Unstructured) map[string]any {
		replicas, _, _ := unstructured.NestedInt64(d.Object, "spec", "replicas") // these have the types of the schema
		observed, _, _ := unstructured.NestedInt64(d.Object, "status", "observedGeneration")
		if observed == d.GetGeneration() {
			return nil
		}
		return map[string]any{
			"observedGeneration": d.GetGeneration(), "replicas": replicas, "updatedReplicas": replicas, "readyReplicas": replicas,
			"availableReplicas": replicas, "conditions": []any{condition("Available", "Script"), condition("Progressing", "NewReplicaSetAvailable")},
		}
	})
}

func now() string { return metav1.Now().UTC().Format(time.RFC3339) }

func condition(kind, reason string) map[string]any {
	return map[string]any{"type": kind, "status": "True", "reason": reason, "message": "as the script says", "lastTransitionTime": now()}
}

// control adds a controller that sets the status of an object, which is nil if it has it already.
func control(ts *testscript.TestScript, object string, status func(*unstructured.Unstructured) map[string]any) {
	s := ts.Value(sessionKey{}).(*session)
	t, err := s.parse(object)
	ts.Check(err)
	s.controllers = append(s.controllers, func(ctx context.Context) error {
		for {
			if err := t.setStatus(ctx, status); err != nil && ctx.Err() == nil {
				return err
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(interval):
			}
		}
	})
}

// setStatus writes the status of the object, if it is there and has another one.
func (t target) setStatus(ctx context.Context, status func(*unstructured.Unstructured) map[string]any) error {
	object, err := t.Get(ctx, t.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	changed := status(object)
	if changed == nil {
		return nil
	}
	object.Object["status"] = changed
	_, err = t.UpdateStatus(ctx, object, metav1.UpdateOptions{FieldManager: someone})
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
