//go:build programs

package cluster_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	clientcmdapi "github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	pods   = flag.Int("pods", 20_000, "number of pods")
	nodes  = flag.Int("nodes", 2_000, "number of nodes")
	rounds = flag.Int("rounds", 3, "runs of each program")
)

// measured is when CPU and memory of a program are read, after its start.
const measured = time.Minute

// figures are what a run of a program costs.
type figures struct {
	ready, cpuReady, cpu time.Duration
	memory               int
}

func TestCluster(t *testing.T) {
	binaries := build(t)
	// The plugin taints new nodes until a controller of nodes has seen their kubelet.
	server := kube.StartTest(t, "--max-requests-inflight=1000", "--max-mutating-requests-inflight=1000",
		"--disable-admission-plugins=TaintNodesByCondition")
	config := server.Config()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := cluster{client, writeKubeconfig(t, config)}
	fill(t, client, *nodes, *pods)
	var rows []string
	for _, program := range []struct {
		name string
		run  func(c cluster, t *testing.T, binary, id string) figures
	}{{names[0], cluster.manage}, {names[1], cluster.schedule}} {
		runs := map[string][]figures{}
		for round := range *rounds {
			for _, side := range binaries.sides() {
				t.Run(fmt.Sprintf("%s/%s/%d", program.name, side.name, round+1), func(t *testing.T) {
					f := program.run(c, t, side.binaries[program.name], fmt.Sprintf("%s-%d", side.name, round+1))
					t.Logf("%+v", f)
					runs[side.name] = append(runs[side.name], f)
				})
			}
		}
		if t.Failed() {
			return
		}
		for _, side := range binaries.sides() {
			rows = append(rows, row(t, program.name, side.name, side.binaries[program.name], runs[side.name]))
		}
	}
	t.Log(strings.Join(rows, "\n"))
	if golden.Update {
		page, err := replace.ReadPage()
		if err != nil {
			t.Fatal(err)
		}
		size := fmt.Sprintf(" | %d | ", *pods)
		page.Cluster = slices.DeleteFunc(page.Cluster, func(row string) bool { return strings.Contains(row, size) })
		page.Cluster = append(page.Cluster, rows...)
		if err = page.Write(); err != nil {
			t.Fatal(err)
		}
	}
}

// row returns the row of a program on one side, with the medians of its runs.
func row(t *testing.T, name, side, binary string, runs []figures) string {
	t.Helper()
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(of func(figures) time.Duration) string {
		return fmt.Sprintf("%.2f", float64(median(runs, of))/float64(time.Second))
	}
	memory := median(runs, func(f figures) int { return f.memory })
	return replace.Row(name, "https://pkg.go.dev/k8s.io/kubernetes/cmd/"+name, side, fmt.Sprint(*pods), fmt.Sprint(len(runs)),
		seconds(func(f figures) time.Duration { return f.ready }), seconds(func(f figures) time.Duration { return f.cpuReady }),
		seconds(func(f figures) time.Duration { return f.cpu }), fmt.Sprint(memory>>20), fmt.Sprint(info.Size()>>20))
}

// median returns the median of a figure, the lower one of an even number of runs.
func median[T cmp.Ordered](runs []figures, of func(figures) T) T {
	var values []T
	for _, f := range runs {
		values = append(values, of(f))
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

// cluster is a server with its admin.
type cluster struct {
	client     kubernetes.Interface
	kubeconfig string
}

// manage runs kube-controller-manager, without the controllers of nodes, which would miss their heartbeats.
func (c cluster) manage(t *testing.T, binary, id string) figures {
	t.Helper()
	name := "managed-" + id
	ctx := t.Context()
	_, err := c.client.AppsV1().Deployments(namespace).Create(ctx, deployment(name, 3), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, binary, c.kubeconfig, "--controllers=*,-node-ipam-controller,-node-lifecycle-controller,-taint-eviction-controller")
	p.await(t, "the pods of a Deployment", func(ctx context.Context) (bool, error) {
		return c.count(ctx, name, func(*corev1.Pod) bool { return true }, 3)
	})
	f := p.atReady(t)

	if _, err = c.client.BatchV1().Jobs(namespace).Create(ctx, job(name+"-job"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	p.await(t, "the pod of a Job", func(ctx context.Context) (bool, error) {
		return c.count(ctx, name+"-job", func(*corev1.Pod) bool { return true }, 1)
	})
	c.succeed(t, name+"-job")
	p.await(t, "the end of a Job", func(ctx context.Context) (bool, error) {
		got, failure := c.client.BatchV1().Jobs(namespace).Get(ctx, name+"-job", metav1.GetOptions{})
		return failure == nil && got.Status.Succeeded == 1 && got.Status.CompletionTime != nil, failure
	})
	background := metav1.DeletePropagationBackground
	if err = c.client.AppsV1().Deployments(namespace).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		t.Fatal(err)
	}
	p.await(t, "garbage collection", func(ctx context.Context) (bool, error) {
		return c.count(ctx, name, func(*corev1.Pod) bool { return true }, 0)
	})
	p.atEnd(t, &f)
	return f
}

// schedule runs kube-scheduler.
func (c cluster) schedule(t *testing.T, binary, id string) figures {
	t.Helper()
	name := "scheduled-" + id
	bound := func(pod *corev1.Pod) bool { return pod.Spec.NodeName != "" }
	createPods := func(from, to int) {
		create(t, to-from, func(ctx context.Context, i int) error {
			_, err := c.client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, from+i), Labels: map[string]string{"app": name}}, Spec: podSpec(),
			}, metav1.CreateOptions{})
			return err
		})
	}
	createPods(0, 10)
	p := start(t, binary, c.kubeconfig)
	p.await(t, "binding", func(ctx context.Context) (bool, error) { return c.count(ctx, name, bound, 10) })
	f := p.atReady(t)
	createPods(10, 100)
	p.await(t, "binding of later pods", func(ctx context.Context) (bool, error) { return c.count(ctx, name, bound, 100) })
	p.atEnd(t, &f)
	return f
}

// atReady returns the figures of a program that is ready now.
func (p *process) atReady(t *testing.T) figures {
	t.Helper()
	return figures{ready: time.Since(p.started), cpuReady: p.cpu(t)}
}

// atEnd adds the figures at the time when programs are measured.
func (p *process) atEnd(t *testing.T, f *figures) {
	t.Helper()
	time.Sleep(time.Until(p.started.Add(measured)))
	f.cpu, f.memory = p.cpu(t), p.memory(t)
}

// count reports whether n pods with a label are as wanted.
func (c cluster) count(ctx context.Context, app string, wanted func(*corev1.Pod) bool, n int) (bool, error) {
	list, err := c.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + app})
	if err != nil {
		return false, err
	}
	for i := range list.Items {
		if wanted(&list.Items[i]) {
			n--
		}
	}
	return n == 0, nil
}

// succeed lets pods end as a kubelet would.
func (c cluster) succeed(t *testing.T, app string) {
	t.Helper()
	list, err := c.client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app=" + app})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		pod := &list.Items[i]
		pod.Status.Phase = corev1.PodSucceeded
		if _, err = c.client.CoreV1().Pods(namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
	}
}

// writeKubeconfig writes a kubeconfig for a config with a token.
func writeKubeconfig(t *testing.T, config *rest.Config) string {
	t.Helper()
	file := clientcmdapi.NewConfig()
	file.Clusters["kube"] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	file.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	file.Contexts["kube"] = &clientcmdapi.Context{Cluster: "kube", AuthInfo: "admin"}
	file.CurrentContext = "kube"
	name := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*file, name); err != nil {
		t.Fatal(err)
	}
	return name
}
