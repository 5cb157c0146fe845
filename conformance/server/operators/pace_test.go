//go:build programs

package operators_test

import (
	"slices"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// TestPace runs the specs of lws that fail on a server that writes at once, with a pace and without one.
// Specs are tried three times, since they may also fail on kube-apiserver.
func TestPace(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(managers, func(o operator) bool { return o.path == "sigs.k8s.io/lws" })
	o := managers[at]
	dir := o.copy(t)
	move(t, dir, root)
	o.choose(t, dir)
	built := compile(t, dir, o.packages)
	focus := []string{"-ginkgo.focus=Pod restart will delete the pod group|RecreateGroupOnPodRestart only gets restarted once"}
	for _, pace := range []time.Duration{time.Millisecond, 0} {
		t.Run(pace.String(), func(t *testing.T) {
			results := built.test(t, focus, func(t *testing.T) []string { return existingWith(t, embedded.WithPace(pace)) })
			if passes := results.Failed == 0 && results.Passed == 2; passes != (pace > 0) {
				t.Errorf("%d passed, %d failed", results.Passed, results.Failed)
			}
		})
	}
}
