package builtin_test

import (
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/kubernetes/scheme"
)

// BenchmarkStart measures the cost of Kubernetes' own kinds before the first request.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		resources, err := builtin.New(builtin.Options{
			Backend: store.NewBackend(store.Options{}), Scheme: scheme.Scheme,
			Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := resources.Prepare(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGroups measures the first discovery of a server.
func BenchmarkGroups(b *testing.B) {
	for b.Loop() {
		resources, err := builtin.New(builtin.Options{
			Backend: store.NewBackend(store.Options{}), Scheme: scheme.Scheme,
			Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer(),
		})
		if err != nil {
			b.Fatal(err)
		}
		if len(resources.Groups()) == 0 {
			b.Fatal("no groups")
		}
	}
}
