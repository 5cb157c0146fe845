//go:build kube

package kubectl

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestKube(t *testing.T) {
	runAll(t, kube.StartTest(t).Config(), func(s *step) *string { return &s.want }, func(*step) bool { return true })
}
