package controllers_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/controllers"
)

// template is of pods with a label and an image.
func template(image string, policy corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "a"}},
		Spec:       corev1.PodSpec{RestartPolicy: policy, Containers: []corev1.Container{{Name: "a", Image: image}}},
	}
}

var selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}

// TestDeployment creates, updates, scales and deletes a deployment. Nothing waits.
func TestDeployment(t *testing.T) {
	for _, strategy := range []appsv1.DeploymentStrategyType{appsv1.RollingUpdateDeploymentStrategyType, appsv1.RecreateDeploymentStrategyType} {
		t.Run(string(strategy), func(t *testing.T) {
			clients := start(t, controllers.All()...)
			deployments := clients.AppsV1().Deployments("default")
			check := func(what string, replicas, sets int) {
				t.Helper()
				d, err := deployments.Get(t.Context(), "d", metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				s, n := d.Status, int32(replicas)
				if s.Replicas != n || s.UpdatedReplicas != n || s.AvailableReplicas != n || s.ObservedGeneration != d.Generation {
					t.Errorf("%s: the status is %+v, want %d replicas", what, s, n)
				}
				for _, c := range s.Conditions {
					if c.Status != corev1.ConditionTrue || c.Type == appsv1.DeploymentProgressing && c.Reason != "NewReplicaSetAvailable" {
						t.Errorf("%s: condition %s is %s, %s", what, c.Type, c.Status, c.Reason)
					}
				}
				pods, err := clients.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{LabelSelector: "app=a"})
				if err != nil || len(pods.Items) != replicas {
					t.Errorf("%s: %d pods, want %d (%v)", what, len(pods.Items), replicas, err)
				}
				for _, pod := range pods.Items {
					if pod.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image {
						t.Errorf("%s: pod %s has image %s", what, pod.Name, pod.Spec.Containers[0].Image)
					}
				}
				list, err := clients.AppsV1().ReplicaSets("default").List(t.Context(), metav1.ListOptions{})
				if err != nil || len(list.Items) != sets {
					t.Errorf("%s: %d replica sets, want %d (%v)", what, len(list.Items), sets, err)
				}
			}
			_, err := deployments.Create(t.Context(), &appsv1.Deployment{
				ObjectMeta: metav1.ObjectMeta{Name: "d"},
				Spec:       appsv1.DeploymentSpec{Replicas: new(int32(3)), Selector: selector, Template: template("one", ""), Strategy: appsv1.DeploymentStrategy{Type: strategy}},
			}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			check("created", 3, 1)
			patch := func(what, text string, replicas, sets int) {
				t.Helper()
				if _, err = deployments.Patch(t.Context(), "d", "application/strategic-merge-patch+json", []byte(text), metav1.PatchOptions{}); err != nil {
					t.Fatal(err)
				}
				check(what, replicas, sets)
			}
			patch("another image", `{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"two"}]}}}}`, 3, 2)
			patch("back", `{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"one"}]}}}}`, 3, 2)
			patch("fewer", `{"spec":{"replicas":1}}`, 1, 2)
			patch("more", `{"spec":{"replicas":5}}`, 5, 2)
			d, err := deployments.Get(t.Context(), "d", metav1.GetOptions{})
			if err != nil || d.Annotations["deployment.kubernetes.io/revision"] != "3" {
				t.Errorf("the revision is %q, want 3 (%v)", d.Annotations["deployment.kubernetes.io/revision"], err)
			}
			if err = deployments.Delete(t.Context(), "d", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationForeground)}); err != nil {
				t.Fatal(err)
			}
			if _, err = deployments.Get(t.Context(), "d", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				t.Errorf("the deleted deployment: %v", err)
			}
			pods, err := clients.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
			if err != nil || len(pods.Items) > 0 {
				t.Errorf("after the deletion, %d pods are left (%v)", len(pods.Items), err)
			}
		})
	}
}

// TestBrokenRollout updates a deployment to an image whose pods do not become ready.
func TestBrokenRollout(t *testing.T) {
	clients := start(t, controllers.Deployments(), controllers.ReplicaSets(), controllers.Scheduler(), controllers.Kubelet(func(pod *corev1.Pod) controllers.Fate {
		if pod.Spec.Containers[0].Image == "broken" {
			return controllers.NotReady
		}
		return controllers.Run
	}))
	deployments := clients.AppsV1().Deployments("default")
	_, err := deployments.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "d"}, Spec: appsv1.DeploymentSpec{Replicas: new(int32(4)), Selector: selector, Template: template("good", "")},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := deployments.Get(t.Context(), "d", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	d.Spec.Template.Spec.Containers[0].Image = "broken"
	if _, err = deployments.Update(t.Context(), d, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if d, err = deployments.Get(t.Context(), "d", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	// A quarter may be missing, and a quarter may be more.
	if s := d.Status; s.AvailableReplicas != 3 || s.UpdatedReplicas != 2 || s.Replicas != 5 || s.UnavailableReplicas != 2 {
		t.Errorf("the status is %+v", s)
	}
}

// TestStatefulSet creates, updates and scales a stateful set.
func TestStatefulSet(t *testing.T) {
	clients := start(t, controllers.All()...)
	sets := clients.AppsV1().StatefulSets("default")
	check := func(what, image string, names ...string) {
		t.Helper()
		pods, err := clients.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
		if err != nil || len(pods.Items) != len(names) {
			t.Fatalf("%s: %d pods, want %d (%v)", what, len(pods.Items), len(names), err)
		}
		for i, pod := range pods.Items {
			if pod.Name != names[i] || pod.Spec.Containers[0].Image != image || pod.Status.Phase != corev1.PodRunning {
				t.Errorf("%s: pod %s with %s is %s", what, pod.Name, pod.Spec.Containers[0].Image, pod.Status.Phase)
			}
		}
		set, err := sets.Get(t.Context(), "s", metav1.GetOptions{})
		if err != nil || int(set.Status.ReadyReplicas) != len(names) || int(set.Status.UpdatedReplicas) != len(names) || set.Status.CurrentRevision != set.Status.UpdateRevision {
			t.Errorf("%s: the status is %+v (%v)", what, set.Status, err)
		}
	}
	claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data"}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
	}}
	_, err := sets.Create(t.Context(), &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: appsv1.StatefulSetSpec{
		Replicas: new(int32(2)), Selector: selector, ServiceName: "s", Template: template("one", ""), VolumeClaimTemplates: []corev1.PersistentVolumeClaim{claim},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check("created", "one", "s-0", "s-1")
	patch := func(text string) {
		t.Helper()
		if _, err := sets.Patch(t.Context(), "s", "application/strategic-merge-patch+json", []byte(text), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	patch(`{"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"a","image":"two"}]}}}}`)
	check("updated", "two", "s-0", "s-1", "s-2")
	patch(`{"spec":{"replicas":1}}`)
	check("fewer", "two", "s-0")
	if _, err := clients.CoreV1().PersistentVolumeClaims("default").Get(t.Context(), "data-s-2", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
}

// TestJob runs jobs whose pods succeed or fail.
func TestJob(t *testing.T) {
	for _, c := range []struct {
		name              string
		fate              func(*corev1.Pod) controllers.Fate
		spec              batchv1.JobSpec
		condition         batchv1.JobConditionType
		succeeded, failed int32
	}{
		{"succeeds", nil, batchv1.JobSpec{}, batchv1.JobComplete, 1, 0},
		{"several", nil, batchv1.JobSpec{Completions: new(int32(5)), Parallelism: new(int32(2))}, batchv1.JobComplete, 5, 0},
		{"fails", func(*corev1.Pod) controllers.Fate { return controllers.Fail }, batchv1.JobSpec{BackoffLimit: new(int32(2))}, batchv1.JobFailed, 0, 3},
		{"suspended", nil, batchv1.JobSpec{Suspend: new(true)}, batchv1.JobSuspended, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			clients := start(t, controllers.Jobs(), controllers.Scheduler(), controllers.Kubelet(c.fate))
			c.spec.Template = template("x", corev1.RestartPolicyNever)
			if _, err := clients.BatchV1().Jobs("default").Create(t.Context(), &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "j"}, Spec: c.spec}, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			job, err := clients.BatchV1().Jobs("default").Get(t.Context(), "j", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, condition := range job.Status.Conditions {
				found = found || condition.Type == c.condition && condition.Status == corev1.ConditionTrue
			}
			if s := job.Status; !found || s.Succeeded != c.succeeded || s.Failed != c.failed || s.Active != 0 {
				t.Errorf("the status is %+v", s)
			}
		})
	}
}

// TestQuota creates pods in a namespace with a quota, which are counted, also when they are deleted.
func TestQuota(t *testing.T) {
	core := start(t, controllers.All()...).CoreV1()
	_, err := core.ResourceQuotas("default").Create(t.Context(), &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "q"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": resource.MustParse("1"), "count/configmaps": resource.MustParse("9")}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(pods string) {
		t.Helper()
		q, err := core.ResourceQuotas("default").Get(t.Context(), "q", metav1.GetOptions{})
		if err != nil || q.Status.Used.Pods().String() != pods || q.Status.Used.Name("count/configmaps", "").String() != "1" {
			t.Errorf("used are %v, want %s pods and a ConfigMap (%v)", q.Status.Used, pods, err)
		}
	}
	create := func(name string) error {
		_, err := core.Pods("default").Create(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: template("x", "").Spec}, metav1.CreateOptions{})
		return err
	}
	check("0")
	if err := create("one"); err != nil {
		t.Fatal(err)
	}
	check("1")
	const want = `pods "two" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1`
	if err := create("two"); err == nil || err.Error() != want {
		t.Errorf("another pod: %v, want %s", err, want)
	}
	if err := core.Pods("default").Delete(t.Context(), "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	check("0")
	if err := create("two"); err != nil {
		t.Error(err)
	}
}

// TestSchedule creates pods that no node accepts.
func TestSchedule(t *testing.T) {
	core := start(t, controllers.Scheduler(), controllers.Kubelet(nil)).CoreV1()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: template("x", "").Spec}
	pod.Spec.NodeSelector = map[string]string{"disk": "fast"}
	if _, err := core.Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	pod, err := core.Pods("default").Get(t.Context(), "p", metav1.GetOptions{})
	if err != nil || len(pod.Status.Conditions) != 1 || pod.Status.Conditions[0].Reason != corev1.PodReasonUnschedulable {
		t.Errorf("the pod is %v (%v)", pod.Status, err)
	}
	if _, err = core.Nodes().Patch(t.Context(), controllers.NodeName, "application/merge-patch+json", []byte(`{"metadata":{"labels":{"disk":"fast"}}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	if pod, err = core.Pods("default").Get(t.Context(), "p", metav1.GetOptions{}); err != nil || pod.Status.Phase != corev1.PodRunning {
		t.Errorf("when the node has the label, the pod is %v (%v)", pod.Status, err)
	}
}
