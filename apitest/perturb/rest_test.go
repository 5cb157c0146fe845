package perturb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// writer is a program that creates a config map, and updates it at intervals.
func writer(interval time.Duration, change func(cm *corev1.ConfigMap, n int)) perturb.Controller {
	return perturb.Controller{StartClientGo: func(ctx context.Context, config *clientgo.Config) error {
		kube, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		configMaps := kube.CoreV1().ConfigMaps("default")
		for n := 0; ctx.Err() == nil; n++ {
			cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
			change(cm, n)
			if _, err := configMaps.Update(ctx, cm, metav1.UpdateOptions{}); err != nil {
				_, _ = configMaps.Create(ctx, cm, metav1.CreateOptions{}) // or in the next round
			}
			select {
			case <-time.After(interval):
			case <-ctx.Done():
			}
		}
		return nil
	}}
}

// Writes that change nothing do not disturb the rest of a program.
func TestRestWithWrites(t *testing.T) {
	r, err := perturb.Search(t, writer(time.Second, func(*corev1.ConfigMap, int) {}), perturb.Limits{})
	if err != nil || len(r.Findings) > 0 || r.Tried == 0 {
		t.Errorf("got %+v, error %v", r, err)
	}
}

// A program that changes something without a pause is reported, and soon.
func TestNoRest(t *testing.T) {
	_, err := perturb.Search(t, writer(0, func(cm *corev1.ConfigMap, n int) {
		cm.Data = map[string]string{"n": fmt.Sprint(n)}
	}), perturb.Limits{})
	if err == nil || !strings.Contains(err.Error(), "the program has not come to rest") {
		t.Errorf("got error %v", err)
	}
}

// Goroutines may end some time after the program.
func TestLateGoroutine(t *testing.T) {
	c := writer(time.Hour, func(*corev1.ConfigMap, int) {})
	run := c.StartClientGo
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		go time.Sleep(30 * time.Minute)
		return run(ctx, config)
	}
	if _, err := perturb.Search(t, c, perturb.Limits{Schedules: 1}); err != nil {
		t.Error(err)
	}
}

// A program that retries after minutes is reported as one that recovers late, and not if it may take that long.
func TestLateRecovery(t *testing.T) {
	const disturbance = "fail program create configmaps default/a"
	c := writer(10*time.Minute, func(*corev1.ConfigMap, int) {})
	report, err := perturb.ReplayReport(t, c, disturbance)
	if err != nil || !strings.Contains(report, "Recovery: 20 * time.Minute") {
		t.Errorf("got error %v, report %s", err, report)
	}
	c.Recovery = 11 * time.Minute
	report, err = perturb.ReplayReport(t, c, disturbance)
	if err != nil || report != "" {
		t.Errorf("with Recovery: got error %v, report %s", err, report)
	}
	c = writer(time.Hour, func(*corev1.ConfigMap, int) {})
	report, err = perturb.ReplayReport(t, c, disturbance)
	if err != nil || report == "" || strings.Contains(report, "recovers, but late") {
		t.Errorf("of a program that does not recover: got error %v, report %s", err, report)
	}
}
