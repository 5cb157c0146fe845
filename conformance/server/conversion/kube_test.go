//go:build kube

package conversion_test

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/internal/golden"
)

func TestServer(t *testing.T) {
	golden.File(t, "testdata/answers.txt", run(t, kube.StartTest(t).Config()))
}
