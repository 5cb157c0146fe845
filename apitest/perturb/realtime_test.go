package perturb_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// rest is the time without work after which a program of a test rests. Their reconciliations take a few milliseconds.
const rest = 100 * time.Millisecond

// In real time, bugs are found with the same schedules, and nothing is reported of the mended controllers.
func TestRealTime(t *testing.T) {
	t.Parallel()
	schedules := map[string]string{
		"status before the work":                           "crash after program update configmaps default/a",
		"overwrites users' changes with the cached object": "hold configmaps from program create secrets default/a-0, until users are done",
	}
	var runs sync.WaitGroup // they wait most of the time
	for _, c := range corpus.All() {
		schedule, ok := schedules[c.Name]
		if !ok {
			continue
		}
		for name, p := range map[string]corpus.Program{"wrong": c.Wrong, "mended": c.Mended} {
			controller := c.Controller(corpus.ClientGo, p)
			controller.RealTime = rest
			runs.Go(func() {
				report, err := perturb.ReplayReport(t, controller, schedule)
				if err != nil || (report != "") != (name == "wrong") {
					t.Errorf("%s, %s: got error %v, report\n%s", c.Name, name, err, report)
				}
			})
		}
	}
	runs.Wait()
}

// childServer is the variable of the environment that makes the program of the tests the other process.
const childServer = "PERTURB_TEST_SERVER"

func TestMain(m *testing.M) {
	server := os.Getenv(childServer)
	if server == "" {
		os.Exit(m.Run())
	}
	resp, err := http.Post(server+"/api/v1/namespaces/default/configmaps", "application/json", strings.NewReader(`{"metadata":{"name":"a"}}`))
	if err != nil || resp.StatusCode != http.StatusCreated && resp.StatusCode != http.StatusConflict {
		os.Exit(1)
	}
}

// parent is a program whose work another process does, which knows the address of the server only.
func parent(ctx context.Context, config *clientgo.Config) error {
	for ctx.Err() == nil {
		child := exec.CommandContext(ctx, os.Args[0])
		child.Env = append(os.Environ(), childServer+"="+config.Host)
		if child.Run() == nil {
			break
		}
	}
	<-ctx.Done()
	return nil
}

// What other processes write is disturbed, too, and a process that has crashed writes nothing more.
func TestOtherProcesses(t *testing.T) {
	t.Parallel()
	c := perturb.Controller{StartClientGo: parent, RealTime: rest, UsersClientGo: func(ctx context.Context, config *clientgo.Config) error {
		configMaps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default")
		for { // each request waits until the program rests
			if _, err := configMaps.Get(ctx, "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				return err
			}
		}
	}}
	report, err := perturb.ReplayReport(t, c, "fail program create configmaps default/a; then crash after program create configmaps default/a")
	if err != nil || report != "" {
		t.Errorf("got error %v, report %s", err, report)
	}
}

// A program that waits for another process does not fit into a bubble: the error says where it waits, and what to do.
func TestUnsuited(t *testing.T) {
	perturb.BoundRuns(t, 500*time.Millisecond)
	over := make(chan struct{}) // outside of the bubble
	defer close(over)
	_, err := perturb.Search(t, perturb.Controller{StartClientGo: func(context.Context, *clientgo.Config) error {
		<-over
		return nil
	}}, perturb.Limits{})
	if err == nil || !strings.Contains(err.Error(), "RealTime") || !strings.Contains(err.Error(), "TestUnsuited") {
		t.Errorf("got error %v", err)
	}
}
