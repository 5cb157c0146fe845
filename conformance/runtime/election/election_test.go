package election

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/proxy"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestOnTestServer(t *testing.T) { run(t, embedded.Start(t).Config()) }

// elections run at the same time: they mostly wait.
const elections = 4

// faults are what happens to a leader, in turn.
var faults = []string{"killed", "cut", "suspended", "stopped", "jumped"}

// run runs all rounds on a server.
func run(t *testing.T, config *rest.Config) {
	var mu sync.Mutex // guards took
	took := map[string][]time.Duration{}
	t.Run("elections", func(t *testing.T) {
		for i := range elections {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				e := newElection(t, config, fmt.Sprintf("election-%d", i))
				for n := i; n < *rounds; n += elections {
					fault := faults[n/elections%len(faults)]
					d := e.round(t, fault)
					mu.Lock()
					took[fault] = append(took[fault], d)
					mu.Unlock()
				}
				e.finish(t)
			})
		}
	})
	for _, fault := range faults {
		all := took[fault]
		if slices.Sort(all); len(all) > 0 {
			t.Logf("%d %s: a leader after %s (median %s, most %s)", len(all), fault, all[0], all[len(all)/2], all[len(all)-1])
		}
	}
}

// election is one in progress.
type election struct {
	setup    setup
	history  *history
	replicas []*process
	started  int
	ledger   corev1client.ConfigMapInterface
	watching sync.WaitGroup
	stop     context.CancelFunc
	writes   int
	wrong    string // about the ledger; read after watching
	token    int    // of the last leader
}

func newElection(t *testing.T, config *rest.Config, name string) *election {
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	client, err := corev1client.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	e := &election{
		setup:   setup{Token: config.BearerToken, CA: config.CAData, Election: name},
		history: newHistory(), token: -1, ledger: client.ConfigMaps(namespace),
	}
	e.watch(t)
	for range 2 {
		p, err := proxy.New(server.Host, false)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		r := e.start(t, p)
		e.replicas = append(e.replicas, r)
	}
	t.Cleanup(func() {
		for _, r := range e.replicas {
			r.resume()
			r.kill()
		}
		e.stop()
		e.watching.Wait()
	})
	return e
}

func (e *election) start(t *testing.T, p *proxy.Proxy) *process {
	e.started++
	r, err := e.history.start(fmt.Sprintf("replica-%d", e.started), p, e.setup)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// watch checks the changes of the ledger.
func (e *election) watch(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e.stop = cancel
	w, err := e.ledger.Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", e.setup.Election).String()})
	if err != nil {
		t.Fatal(err)
	}
	e.watching.Go(func() {
		defer w.Stop()
		writers := map[int]string{}
		last := -1
		for change := range w.ResultChan() {
			ledger, ok := change.Object.(*corev1.ConfigMap)
			if !ok || ledger.Data == nil {
				continue
			}
			token, _ := strconv.Atoi(ledger.Data["token"])
			writer := ledger.Data["writer"]
			if other, ok := writers[token]; e.wrong == "" && (token < last || ok && other != writer) {
				e.wrong = fmt.Sprintf("%s wrote in term %d, after term %d of %s", writer, token, last, writers[last])
			}
			writers[token], last = writer, token
			e.writes++
		}
	})
}

// round disturbs the leader, and returns how long there was none that could write.
func (e *election) round(t *testing.T, fault string) time.Duration {
	leads := e.history.leader(t, e.token)
	e.token = leads.token
	leader := leads.by
	time.Sleep(time.Duration(rand.Int64N(int64(2 * retryPeriod))))
	begin := time.Now()
	switch fault {
	case "killed":
		leader.kill()
	case "cut":
		leader.proxy.Cut()
	case "suspended":
		leader.suspend()
	case "stopped":
		leader.command("stop")
	case "jumped":
		for _, r := range e.replicas {
			r.command("jump " + (time.Duration(rand.Int64N(int64(4*time.Hour))) - 2*time.Hour).String())
		}
		time.Sleep(leaseDuration + leaseDuration/2)
		if now := e.history.leader(t, e.token-1); now != leads {
			// A replica that gets no CPU for the renew deadline ends its term too, so this is no error here.
			// TestJumps of package leaderelection holds that clocks alone do not end one.
			t.Logf("%s leads in term %d after the clocks were set, and led in term %d before", now.by.name, now.token, leads.token)
		}
		e.token-- // the leader usually goes on
		return 0
	}
	next := e.history.leader(t, e.token)
	took := next.from.Sub(begin)
	switch fault {
	case "killed":
		for i, r := range e.replicas {
			if r == leader {
				e.replicas[i] = e.start(t, r.proxy)
			}
		}
	case "cut":
		e.history.ended(leads)
		leader.proxy.Heal()
	case "suspended":
		leader.resume()
	}
	return took
}

// finish checks what happened.
func (e *election) finish(t *testing.T) {
	e.history.leader(t, e.token)
	time.Sleep(time.Second) // writes of former leaders
	e.stop()
	e.watching.Wait()
	if twice := e.history.twice(); twice != "" {
		t.Errorf("two leaders: %s", twice)
	}
	if e.wrong != "" {
		t.Errorf("the ledger is wrong: %s", e.wrong)
	}
	if e.writes == 0 {
		t.Error("nothing was written")
	}
	t.Logf("%d terms, %d writes, events: %v", len(e.history.spans), e.writes, e.history.events)
}
