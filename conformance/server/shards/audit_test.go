package shards

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/runtime/cache"
)

// assignment is one of the ring, as its Lease has it.
type assignment struct {
	version int
	at      time.Time
	owners  [slots]string // terms
	moves   int           // slots that will move
}

// write is one of a replica.
type write struct {
	version int
	at      time.Time
	name    string
	slot    int
	by      string // a term
}

// audit watches what replicas do.
type audit struct {
	elected bool
	factory informers.SharedInformerFactory

	mu          sync.Mutex // guards the fields below
	changed     *sync.Cond
	objects     map[string]*corev1.ConfigMap
	assignments []assignment
	writes      []write
	invalid     error // the Lease cannot be read
}

func newAudit(t *testing.T, client kubernetes.Interface, namespace string, elected bool) *audit {
	a := &audit{elected: elected, objects: map[string]*corev1.ConfigMap{}}
	a.changed = sync.NewCond(&a.mu)
	a.factory = informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	objects, leases := a.factory.Core().V1().ConfigMaps().Informer(), a.factory.Coordination().V1().Leases().Informer()
	for informer, handler := range map[cache.SharedInformer]cache.ResourceEventHandlerFuncs{
		objects: {
			AddFunc:    func(obj any) { a.object(obj.(*corev1.ConfigMap)) },
			UpdateFunc: func(_, obj any) { a.object(obj.(*corev1.ConfigMap)) },
			DeleteFunc: func(obj any) { a.deleted(obj) },
		},
		leases: {
			AddFunc:    func(obj any) { a.lease(obj.(*coordinationv1.Lease)) },
			UpdateFunc: func(_, obj any) { a.lease(obj.(*coordinationv1.Lease)) },
		},
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	a.factory.StartWithContext(ctx)
	t.Cleanup(func() {
		cancel()
		a.factory.Shutdown()
	})
	if err := a.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		t.Fatal(err)
	}
	return a
}

// object notes a state of an object, and that it was written if it has another stamp.
func (a *audit) object(obj *corev1.ConfigMap) {
	if obj.Labels["listwatch.example.com/shards"] == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.objects[obj.Name]
	a.objects[obj.Name] = obj
	if stamp := obj.Data["stamp"]; stamp != "" && (before == nil || before.UID != obj.UID || before.Data["stamp"] != stamp) {
		a.writes = append(a.writes, write{versionOf(obj), time.Now(), obj.Name, slotOf(string(obj.UID)), obj.Data["term"]})
	}
	a.changed.Broadcast()
}

func (a *audit) deleted(obj any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if name, err := cache.DeletionHandlingObjectToName(obj); err == nil {
		delete(a.objects, name.Name)
	}
	a.changed.Broadcast()
}

// lease notes an assignment.
func (a *audit) lease(lease *coordinationv1.Lease) {
	text := lease.Annotations["listwatch.github.io/assignment"]
	if lease.Name != ringName || text == "" {
		return
	}
	next, err := parseAssignment(text)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		a.invalid = err
		return
	}
	next.version, next.at = versionOf(lease), time.Now()
	if n := len(a.assignments); n == 0 || a.assignments[n-1].owners != next.owners || a.assignments[n-1].moves != next.moves {
		a.assignments = append(a.assignments, next)
	}
	a.changed.Broadcast()
}

func parseAssignment(text string) (a assignment, err error) {
	var parsed struct {
		Owners map[string]string `json:"owners"`
		Moves  []struct{}        `json:"moves"`
	}
	if err := json.Unmarshal([]byte(text), &parsed); err != nil {
		return a, err
	}
	a.moves = len(parsed.Moves)
	for term, ranges := range parsed.Owners {
		for part := range strings.SplitSeq(ranges, ",") {
			first, last, isRange := strings.Cut(part, "-")
			if !isRange {
				last = first
			}
			from, err := strconv.Atoi(first)
			to, failure := strconv.Atoi(last)
			if err != nil || failure != nil || to >= slots {
				return a, fmt.Errorf("invalid slots %q", ranges)
			}
			for slot := from; slot <= to; slot++ {
				a.owners[slot] = term
			}
		}
	}
	return a, nil
}

// slotOf returns the slot of a UID, by the definition of Kubernetes' shard selectors.
func slotOf(uid string) int {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(uid))
	return int(hash.Sum64() / (1 << 63 / (slots / 2)))
}

func versionOf(obj metav1.Object) int {
	version, _ := strconv.Atoi(obj.GetResourceVersion())
	return version
}

func identityOf(term string) string {
	identity, _, _ := strings.Cut(term, "_")
	return identity
}

// shares returns how many slots each replica has.
func (a assignment) shares() map[string]int {
	out := map[string]int{}
	for _, term := range a.owners {
		if term != "" {
			out[identityOf(term)]++
		}
	}
	return out
}

// current returns the last assignment. It is called with mu.
func (a *audit) current() assignment {
	if len(a.assignments) == 0 {
		return assignment{}
	}
	return a.assignments[len(a.assignments)-1]
}

// unsettled returns why replicas do not yet share what there is; empty if they do, and each object was written by its
// owner in its last state. It is called with mu.
func (a *audit) unsettled(replicas []string) string {
	last := a.current()
	if !a.elected {
		shares := last.shares()
		if got := slices.Sorted(maps.Keys(shares)); !slices.Equal(got, replicas) || last.moves > 0 {
			return fmt.Sprintf("shares %v, %d moves, want replicas %v", shares, last.moves, replicas)
		}
		least, most, total := slots, 0, 0
		for _, n := range shares {
			least, most, total = min(least, n), max(most, n), total+n
		}
		if most-least > 1 || total != slots {
			return fmt.Sprintf("shares %v are not balanced", shares)
		}
	}
	for name, obj := range a.objects {
		if obj.Data["got"] != obj.Data["want"] {
			return fmt.Sprintf("%s has %q, want %q", name, obj.Data["got"], obj.Data["want"])
		}
		if !a.elected && obj.Data["by"] != identityOf(last.owners[slotOf(string(obj.UID))]) {
			return fmt.Sprintf("%s is by %s, want %s", name, obj.Data["by"], last.owners[slotOf(string(obj.UID))])
		}
	}
	return ""
}

// wait waits until a condition, called with mu, returns an empty text.
func (a *audit) wait(t *testing.T, unmet func() string) {
	t.Helper()
	const limit = 3 * time.Minute
	late := time.AfterFunc(limit, a.changed.Broadcast)
	defer late.Stop()
	deadline := time.Now().Add(limit)
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		why := unmet()
		if why == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", limit, why)
		}
		a.changed.Wait()
	}
}

// settled waits until replicas share what there is.
func (a *audit) settled(t *testing.T, replicas []string) assignment {
	t.Helper()
	var last assignment
	a.wait(t, func() string {
		last = a.current()
		return a.unsettled(slices.Sorted(slices.Values(replicas)))
	})
	return last
}

// byOthers returns the writes of replicas that did not own the object.
func (a *audit) byOthers() (wrong []string, writes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.writes {
		i, _ := slices.BinarySearchFunc(a.assignments, w.version, func(one assignment, version int) int { return one.version - version })
		owner := ""
		if i > 0 {
			owner = a.assignments[i-1].owners[w.slot]
		}
		if owner != w.by {
			wrong = append(wrong, fmt.Sprintf("%s of slot %d at version %d by %s, owned by %s", w.name, w.slot, w.version, w.by, owner))
		}
	}
	return wrong, len(a.writes)
}
