//go:build programs

package appliers_test

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/internal/golden"
)

func TestKube(t *testing.T) { run(t, kube.StartTest(t).Config(), golden.Update) }
