//go:build kube

package election

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestOnKube(t *testing.T) { run(t, kube.StartTest(t).Config()) }
