//go:build programs

package appliers_test

import (
	"context"
	"slices"
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
	repeat(ts, object, func(ctx context.Context, t target) error { return t.setStatus(ctx, status) })
}

// repeat adds a controller that does something with a target again and again, and a last time after the program.
func repeat(ts *testscript.TestScript, argument string, do func(context.Context, target) error) {
	s := ts.Value(sessionKey{}).(*session)
	t, err := s.parse(argument)
	ts.Check(err)
	s.controllers = append(s.controllers, func(ctx context.Context) error {
		for {
			ended := ctx.Err() != nil
			if err := do(s.ctx, t); err != nil || ended {
				return err
			}
			select {
			case <-ctx.Done():
			case <-time.After(interval):
			}
		}
	})
}

// collect ends the deletion of objects that wait for their dependents, of which there are none, while the next program runs.
func collect(ts *testscript.TestScript, _ bool, args []string) {
	for _, resource := range args {
		repeat(ts, resource, func(ctx context.Context, t target) error { return t.release(ctx) })
	}
}

// release removes the finalizer of the garbage collector from objects that are being deleted.
func (t target) release(ctx context.Context) error {
	list, err := t.List(ctx, metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, object := range list.Items {
		finalizers := object.GetFinalizers()
		waits := func(finalizer string) bool { return finalizer == metav1.FinalizerDeleteDependents }
		named := t.name == "" || t.name == object.GetName()
		if !named || object.GetDeletionTimestamp() == nil || !slices.ContainsFunc(finalizers, waits) {
			continue
		}
		object.SetFinalizers(slices.DeleteFunc(finalizers, waits))
		_, err = t.Update(ctx, &object, metav1.UpdateOptions{FieldManager: someone})
		if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
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
