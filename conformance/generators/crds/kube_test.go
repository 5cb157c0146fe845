//go:build kube

package crds_test

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestOnKube(t *testing.T) {
	onServer(t, kube.StartTest(t).Config())
}
