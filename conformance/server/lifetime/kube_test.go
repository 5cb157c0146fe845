//go:build kube

package lifetime_test

import (
	"context"
	"errors"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/server/lifetime"
)

func TestOnKube(t *testing.T) {
	measure(t, 3, func() (lifetime.Server, error) {
		server, err := kube.StartShared(context.Background())
		if err != nil {
			return nil, err
		}
		if err := server.Define(context.Background(), crds+"/library.yaml"); err != nil {
			return nil, errors.Join(err, server.Stop())
		}
		return server, nil
	})
}
