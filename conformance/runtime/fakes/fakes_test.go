package fakes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// pairs are the compared clientsets.
var pairs = map[string]pair{"NewSimpleClientset": simple, "NewFieldManagedObjectTracker": managed}

// seeds are the initial objects of clientsets.
var seeds = map[string][]runtime.Object{
	"nothing":          nil,
	"with versions":    {pod("a", rv("900")), pod("b", rv("7"), uid("1")), pod("a", in("there"), rv("x")), node("one"), deployment("a"), account("a")},
	"without versions": {pod("a"), pod("b"), pod("z", changed), pod("a", in("there"), changed), node("one"), deployment("a"), account("a")},
	"lists": {
		&corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "44"}, Items: []corev1.Pod{*pod("a", rv("3")), *pod("b", rv("7"))}},
		&corev1.NodeList{Items: []corev1.Node{*node("one")}}, deployment("a"), account("a"),
	},
}

func account(name string) *corev1.ServiceAccount {
	return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "here", Name: name}}
}

// same makes a call on both sides and compares the results. If theirs panics, ours must return an
// error.
func same(t *testing.T, c call, theirs, ours *side) {
	t.Helper()
	want, _, panicked := theirs.do(c)
	got, failed, broken := ours.do(c)
	if panicked {
		if !failed || broken {
			t.Errorf("%s: got %s, want an error where client-go has a %s", c.name, got, want)
		}
		return
	}
	equal(t, c.name, want, got)
}

func sameAfter(t *testing.T, theirs, ours *side) {
	t.Helper()
	equal(t, "thereafter", theirs.after(), ours.after())
}

func equal(t *testing.T, what, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	if diff := cmp.Diff(comparable(want), comparable(got)); diff != "" {
		t.Errorf("%s (-client-go +ours)\n%s", what, diff)
	}
}

// TestCalls makes each call on new clientsets that are watched.
func TestCalls(t *testing.T) {
	if len(calls) < 60 {
		t.Fatalf("%d calls", len(calls))
	}
	for pairName, pair := range pairs {
		for seedName, seed := range seeds {
			t.Run(pairName+" "+seedName, func(t *testing.T) {
				t.Parallel()
				for _, c := range calls {
					t.Run(c.name, func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							theirs, ours := pair(t, seed)
							for _, namespace := range []string{"", "here"} {
								same(t, watched("before", namespace, metav1.ListOptions{ResourceVersion: "99"}), theirs, ours)
							}
							same(t, c, theirs, ours)
							sameAfter(t, theirs, ours)
						})
					})
				}
			})
		}
	}
}

// TestSequences makes random calls in sequence. Some follow others in the same second, on both sides: managed fields are
// ordered by their times, which have no fractions.
func TestSequences(t *testing.T) {
	const sequences, length = 40, 30
	names := []string{"nothing", "with versions", "without versions", "lists"}
	for pairName, pair := range pairs {
		for seed := range uint64(sequences) {
			t.Run(fmt.Sprint(pairName, " ", seed), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 0))
					theirs, ours := pair(t, seeds[names[r.IntN(len(names))]])
					var made []string
					for range length {
						c := calls[r.IntN(len(calls))]
						made = append(made, c.name)
						if same(t, c, theirs, ours); t.Failed() {
							t.Fatalf("after %q", made)
						}
						time.Sleep(time.Second / 2)
					}
					sameAfter(t, theirs, ours)
				})
			})
		}
	}
}

// TestDiscovery checks the results of the fake discovery of a clientset without resources.
func TestDiscovery(t *testing.T) {
	theirs, ours := simple(t, nil)
	same(t, call{"discovery", func(s *side) (any, error) {
		groups, resources, err := s.discovered()
		return []any{groups, resources}, err
	}}, theirs, ours)
	sameAfter(t, theirs, ours)
}
