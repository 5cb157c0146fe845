package rest_test

import (
	"testing"

	"github.com/listwatch/listwatch/runtime/codec"
)

// TestWithoutManagedFields checks the Accept header of requests that need no managedFields.
func TestWithoutManagedFields(t *testing.T) {
	for _, c := range []struct{ name, accept, want string }{
		{"one", "application/json", "application/json;drop=metadata.managedFields"},
		{"anything", "application/json, */*", "application/json;drop=metadata.managedFields, */*"},
		{
			"parameters", "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;q=0.5",
			"application/vnd.kubernetes.protobuf;drop=metadata.managedFields;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;drop=metadata.managedFields;q=0.5",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, answerJSON(gadget("a", 1)), answerJSON(gadget("a", 1)))
			r := s.client(t).Get().Resource("gadgets").Name("a").SetHeader("Accept", c.accept)
			for range 2 { // the request itself does not change
				if err := r.Do(codec.WithoutManagedFields(t.Context())).Error(); err != nil {
					t.Fatal(err)
				}
			}
			for _, seen := range s.seen() {
				if got := seen.header.Get("Accept"); got != c.want {
					t.Errorf("Accept: %s, want %s", got, c.want)
				}
			}
		})
	}
}
