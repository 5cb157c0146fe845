//go:build kube

package untyped_test

import (
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func TestOnKube(t *testing.T) {
	server := kube.StartTest(t)
	if err := server.Define(t.Context(), definitions(t)); err != nil {
		t.Fatal(err)
	}
	t.Run("clients", func(t *testing.T) { compareClients(t, server.Config()) })
	t.Run("informers", func(t *testing.T) { compareInformers(t, server.Config()) })
	t.Run("managedFields", func(t *testing.T) { compareManaged(t, server.Config()) })
}
