package prometheus_test

import (
	"fmt"

	client "github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/metrics/prometheus"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// One queue reports to its own registry. Most programs call [prometheus.Register] instead, once for
// the whole process.
func ExampleMetrics() {
	registry := client.NewRegistry()
	metrics := prometheus.New()
	registry.MustRegister(metrics)

	queue := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[string]{
		Name:            "boats",
		MetricsProvider: metrics.Workqueue(),
	})
	defer queue.ShutDown()
	queue.Add("default/boat")

	families, err := registry.Gather()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, family := range families {
		if family.GetName() == "workqueue_depth" {
			fmt.Println(family.GetName(), family.GetMetric()[0].GetGauge().GetValue())
		}
	}
	// Output: workqueue_depth 1
}
