//go:build kube

package shards

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestOnKube(t *testing.T) {
	for _, gate := range []string{"true", "false"} {
		t.Run("ShardedListAndWatch="+gate, func(t *testing.T) {
			run(t, kube.StartTest(t, "--feature-gates=ShardedListAndWatch="+gate).Config(), setup{})
		})
	}
	t.Run("managers", func(t *testing.T) {
		run(t, kube.StartTest(t, "--feature-gates=ShardedListAndWatch=true").Config(), setup{program: buildManager(t)})
	})
	t.Run("election", func(t *testing.T) { run(t, kube.StartTest(t).Config(), setup{Elected: true}) })
}
