package election

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
	"github.com/listwatch/listwatch/runtime/rest"
)

// replicaVariable makes the test's binary a replica.
const replicaVariable = "LISTWATCH_REPLICA"

const (
	namespace     = "default"
	leaseDuration = 3 * time.Second
	renewDeadline = 1500 * time.Millisecond
	retryPeriod   = 250 * time.Millisecond
)

// setup is what a replica gets in its environment.
type setup struct {
	Host, Token string
	CA          []byte
	Election    string // the name of Lease and ledger
	Identity    string
}

// event is a line of a replica's output.
type event struct {
	Kind  string // started, ended, written, refused
	Token int
	At    time.Time
}

// replica is the process.
type replica struct {
	setup
	config *rest.Config
	ledger corev1client.ConfigMapInterface
	clock  jumping

	mu     sync.Mutex // guards stop, and output
	stop   context.CancelFunc
	output *json.Encoder
}

// runReplica takes part in an election until its input ends. Its input are the commands "jump DURATION", and
// "stop", after which it takes part again.
func runReplica(text string) error {
	r := &replica{output: json.NewEncoder(os.Stdout)}
	r.clock.stamps = map[time.Time]time.Time{}
	if err := json.Unmarshal([]byte(text), &r.setup); err != nil {
		return err
	}
	r.config = &rest.Config{Host: r.Host, BearerToken: r.Token, TLSClientConfig: rest.TLSClientConfig{CAData: r.CA}}
	r.config.Timeout = renewDeadline / 2
	client, err := corev1client.NewForConfig(r.config)
	if err != nil {
		return err
	}
	r.ledger = client.ConfigMaps(namespace)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			r.command(lines.Text())
		}
	}()
	for n := 0; ctx.Err() == nil; n++ {
		if err := r.run(ctx, fmt.Sprintf("%s-%d", r.Identity, n)); err != nil {
			return err
		}
	}
	return nil
}

func (r *replica) command(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if by, ok := strings.CutPrefix(line, "jump "); ok {
		d, _ := time.ParseDuration(by)
		r.clock.jump(d)
	} else if r.stop != nil {
		r.stop()
	}
}

func (r *replica) run(ctx context.Context, identity string) error {
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, r.Election,
		resourcelock.ResourceLockConfig{Identity: identity}, r.config, renewDeadline)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.mu.Lock()
	r.stop = stop
	r.mu.Unlock()
	var working sync.WaitGroup
	defer working.Wait()
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   leaseDuration,
		RenewDeadline:   renewDeadline,
		RetryPeriod:     retryPeriod,
		ReleaseOnCancel: true,
		Clock:           &r.clock,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(term context.Context) {
				token, _ := leaderelection.FencingToken(term)
				r.report("started", token)
				r.lead(term, token)
				r.report("ended", token)
				// A request that was on its way.
				working.Go(func() { _ = r.write(context.WithoutCancel(term), token) })
			},
			OnStoppedLeading: func() {},
		},
	})
	return nil
}

// lead writes to the ledger until the term ends.
func (r *replica) lead(term context.Context, token int) {
	for term.Err() == nil {
		_ = r.write(term, token)
		select {
		case <-term.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// errLaterTerm reports that the ledger has the token of a later term.
var errLaterTerm = errors.New("the ledger is in a later term")

// write counts in the ledger, unless that is in a later term.
func (r *replica) write(ctx context.Context, token int) error {
	ledger, err := r.ledger.Get(ctx, r.Election, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		ledger, err = r.ledger.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: r.Election}}, metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	last, _ := strconv.Atoi(ledger.Data["token"])
	if last > token {
		r.report("refused", token)
		return errLaterTerm
	}
	count, _ := strconv.Atoi(ledger.Data["count"])
	ledger.Data = map[string]string{"token": strconv.Itoa(token), "count": strconv.Itoa(count + 1), "writer": r.Identity}
	if _, err := r.ledger.Update(ctx, ledger, metav1.UpdateOptions{}); err != nil {
		return err
	}
	r.report("written", token)
	return nil
}

func (r *replica) report(kind string, token int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.output.Encode(event{kind, token, time.Now()})
}
