//go:build kube

package pace_test

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestServer(t *testing.T) { measure(t, kube.StartTest(t).Config()) }
