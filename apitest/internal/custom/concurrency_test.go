package custom_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWritersOfManyDefinitions creates, changes and deletes CRDs concurrently, with custom
// resources and watches of them; they compete for names.
func TestWritersOfManyDefinitions(t *testing.T) {
	s := newServer(t)
	var all sync.WaitGroup
	for i := range 3 {
		plural := fmt.Sprintf("boat%ds", i)
		body := definition(plural, fmt.Sprintf("boat%d", i), fmt.Sprintf("Boat%d", i), "bt") // one short name for all
		all.Go(func() {
			instances := "/apis/example.com/v1/namespaces/a/" + plural
			for round := range 3 {
				s.do(http.MethodPost, crdPath, body)
				s.do(http.MethodPost, instances, strings.ReplaceAll(
					`{apiVersion: example.com/v1, kind: KIND, metadata: {name: one}}`, "KIND", fmt.Sprintf("Boat%d", i)))
				s.do(http.MethodPatch, crdPath+"/"+plural+".example.com",
					fmt.Sprintf(`{"spec":{"names":{"categories":["c%d"]}}}`, round), "application/merge-patch+json")
				s.do(http.MethodGet, instances, "")
				s.do(http.MethodDelete, crdPath+"/"+plural+".example.com", "")
			}
			s.do(http.MethodPost, crdPath, body)
		})
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				s.registry.Groups()
			}
		}
	})
	all.Wait()
	close(done)
	readers.Wait()

	// All but one were rejected, which has the name.
	accepted := 0
	list := s.must(http.StatusOK, http.MethodGet, crdPath, "").path("items").([]any)
	for _, item := range list {
		object := item.(map[string]any)
		name := object["metadata"].(map[string]any)["name"].(string)
		code := http.StatusNotFound
		if conditions(object)[0] == "NamesAccepted=True NoConflicts: no conflicts found" {
			accepted++
			code = http.StatusOK
		}
		plural, _, _ := strings.Cut(name, ".")
		s.must(code, http.MethodGet, "/apis/example.com/v1/namespaces/a/"+plural, "")
	}
	if diff := cmp.Diff([]int{3, 1}, []int{len(list), accepted}); diff != "" {
		t.Errorf("definitions, and those that are accepted (-want +got):\n%s", diff)
	}
}

// TestLateInstances creates custom resources while their CRD is being deleted: those that are
// created before it is deleted are deleted with it, and they do not prevent its deletion.
func TestLateInstances(t *testing.T) {
	for _, c := range []struct {
		name   string
		create func(s *server, name string) response
	}{
		{"create", func(s *server, name string) response {
			return s.do(http.MethodPost, foos, foo(name, "{}"))
		}},
		{"apply", func(s *server, name string) response {
			return s.do(http.MethodPatch, foos+"/"+name+"?fieldManager=me", foo(name, "{}"), "application/apply-patch+yaml")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t)
			for round := range 8 {
				s.must(http.StatusCreated, http.MethodPost, crdPath, fooDefinition)
				if items := s.must(http.StatusOK, http.MethodGet, foos, "").path("items").([]any); len(items) != 0 {
					t.Fatalf("round %d: the CRD was recreated with custom resources: %v", round, items)
				}
				created := make(chan struct{}, 1000)
				var creators sync.WaitGroup
				for i := range 4 {
					creators.Go(func() {
						for n := range 200 {
							if c.create(s, fmt.Sprintf("foo-%d-%d", i, n)).code != http.StatusCreated {
								return
							}
							created <- struct{}{}
						}
					})
				}
				<-created
				s.must(http.StatusOK, http.MethodDelete, crdPath+"/foos.example.com", "")
				creators.Wait()
			}
		})
	}
}
