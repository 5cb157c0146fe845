package custom_test

import (
	"net/http"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/custom"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apiserver/pkg/admission"
)

// BenchmarkApply measures a new registry with one CRD.
func BenchmarkApply(b *testing.B) {
	crd := parse(b, fooDefinition)
	b.ReportAllocs()
	for b.Loop() {
		registry, err := custom.New(custom.Options{
			Backend:    store.NewBackend(store.Options{}),
			Authorizer: allowAll{},
			Admission:  admission.NewChainHandler(),
			Delegate:   http.NotFoundHandler(),
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := registry.Apply(b.Context(), crd); err != nil {
			b.Fatal(err)
		}
		registry.Close()
	}
}

// BenchmarkFirstCreate measures the first request for a custom resource, for which its schema is
// compiled.
func BenchmarkFirstCreate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s := newServer(b)
		s.apply(fooDefinition)
		b.StartTimer()
		s.must(http.StatusCreated, http.MethodPost, foos, foo("one", "{}"))
	}
}
