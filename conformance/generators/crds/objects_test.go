package crds_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"encoding/json"

	"github.com/listwatch/listwatch/conformance/generators/crds"
)

// objectsPerKind is the number of objects for each version of a kind.
const objectsPerKind = 500

// tally counts answers.
type tally struct{ versions, objects, stored, refused, updates int }

func (n *tally) add(o tally) {
	n.versions += o.versions
	n.objects += o.objects
	n.stored += o.stored
	n.refused += o.refused
	n.updates += o.updates
}

func (n *tally) String() string {
	return fmt.Sprintf("%d versions of kinds, %d objects: %d stored, %d refused; %d of them as updates", n.versions, n.objects, n.stored, n.refused, n.updates)
}

// TestObjects checks that objects get the same answers under the manifests of both generators.
func TestObjects(t *testing.T) {
	var all tally
	for _, p := range pairs(t) {
		// Options for descriptions change no answer.
		if len(p.their.Errors) > 0 || len(p.ours.Errors) > 0 || p.options.MaxDescLen != nil {
			continue
		}
		a, err := p.their.Manifests()
		if err != nil {
			t.Fatal(err)
		}
		b, err := p.ours.Manifests()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			if b[name] == nil {
				continue // reported by TestCases
			}
			t.Run(p.name+"/"+name, func(t *testing.T) {
				all.add(sameAnswers(t, a[name], b[name], objectsPerKind))
			})
		}
	}
	t.Log(&all)
	if all.stored < all.objects/10 || all.refused < all.objects/10 {
		t.Errorf("too few objects of one sort")
	}
}

// sameAnswers compares the answers under two manifests: to the manifests themselves, and to n objects
// for each version. A third of the objects replaces one that was stored.
func sameAnswers(t *testing.T, their, ours crds.Manifest, n int) tally {
	t.Helper()
	a, err := their.Invalid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := ours.Invalid(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, b) {
		t.Errorf("the server refuses controller-gen's definition for %q, and gen-crd's for %q", a, b)
	}
	var all tally
	for _, version := range their.Versions() {
		if !slices.Contains(ours.Versions(), version) {
			continue
		}
		theirJudge, theirErr := crds.NewJudge(their, version)
		ourJudge, ourErr := crds.NewJudge(ours, version)
		if theirErr != nil || ourErr != nil {
			if fmt.Sprint(theirErr) != fmt.Sprint(ourErr) {
				t.Errorf("%s: controller-gen's schema: %v; gen-crd's: %v", version, theirErr, ourErr)
			}
			continue
		}
		all.versions++
		objects := crds.NewObjects(their, version, theirJudge, seed(their, version))
		var stored map[string]any
		for i := range n {
			object, how := objects.Next()
			var want, got crds.Verdict
			if stored != nil && i%3 == 0 {
				want, got = theirJudge.Update(t.Context(), object, stored), ourJudge.Update(t.Context(), object, stored)
				all.updates++
			} else {
				want, got = theirJudge.Create(t.Context(), object), ourJudge.Create(t.Context(), object)
			}
			if want.String() != got.String() {
				text, _ := json.Marshal(object)
				t.Errorf("%s: object %s (%s):\nunder controller-gen's manifest: %s\nunder gen-crd's: %s", version, text, how, want, got)
				return all
			}
			all.objects++
			if len(want.Errors) > 0 {
				all.refused++
				continue
			}
			all.stored++
			if err = json.Unmarshal([]byte(want.Stored), &stored); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// seed returns a number that depends on the name of a kind only.
func seed(m crds.Manifest, version string) uint64 {
	h := fnv.New64a()
	metadata, _ := m["metadata"].(map[string]any)
	fmt.Fprint(h, metadata["name"], version)
	return h.Sum64()
}

// TestObjectsAreSpoilt checks that each way to spoil an object occurs, and that the judge notices a
// difference between schemas.
func TestObjectsAreSpoilt(t *testing.T) {
	const manifest = `
kind: CustomResourceDefinition
metadata: {name: gauges.example.com}
spec:
  group: example.com
  names: {kind: Gauge, plural: gauges, singular: gauge, listKind: GaugeList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          number: {type: integer, minimum: 3, maximum: 5, multipleOf: 1}
          text: {type: string, minLength: 2, maxLength: 4}
          list: {type: array, items: {type: string}, maxItems: 3, x-kubernetes-list-type: set}
          object: {type: object, required: [a], properties: {a: {type: string}}}
          enum: {type: string, enum: [x, y]}
          pattern: {type: string, pattern: '^a+$'}
          rule: {type: integer, x-kubernetes-validations: [{rule: self != 7}]}
`
	seen := map[string]bool{}
	m := parse(t, manifest)
	judge, err := crds.NewJudge(m, "v1")
	if err != nil {
		t.Fatal(err)
	}
	objects := crds.NewObjects(m, "v1", judge, 1)
	for range 2000 {
		_, how := objects.Next()
		name, _, _ := strings.Cut(how, " at ")
		seen[name] = true
	}
	for _, way := range []string{
		"", "unknown field", "null", "wrong type", "missing", "not in enum", "empty", "too long", "too short",
		"just not too long", "fraction", "too small", "too large", "no multiple", "empty list", "duplicate", "too many", "empty object",
	} {
		if !seen[way] {
			t.Errorf("no object was spoilt by %q", way)
		}
	}
	for _, change := range [][2]string{
		{"minimum: 3", "minimum: 4"}, {"maximum: 5", "maximum: 4"}, {"maxLength: 4", "maxLength: 3"}, {"minLength: 2", "minLength: 1"},
		{"maxItems: 3", "maxItems: 4"}, {"list-type: set", "list-type: atomic"}, {"required: [a], ", ""}, {"enum: [x, y]", "enum: [x]"},
		{"'^a+$'", "'^a*$'"}, {"self != 7", "self != 8"}, {"number: {type: integer", "number: {type: number"}, {"{type: array", "{type: array, nullable: true"},
	} {
		other, err := crds.NewJudge(parse(t, strings.Replace(manifest, change[0], change[1], 1)), "v1")
		if err != nil {
			t.Fatal(err)
		}
		objects := crds.NewObjects(m, "v1", judge, 2)
		found := false
		for i := 0; i < 3000 && !found; i++ {
			object, _ := objects.Next()
			found = judge.Create(t.Context(), object).String() != other.Create(t.Context(), object).String()
		}
		if !found {
			t.Errorf("no object was answered differently after %s became %s", change[0], change[1])
		}
	}
}

func parse(t *testing.T, text string) crds.Manifest {
	t.Helper()
	found, err := crds.Parse([]byte(text))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	for _, m := range found {
		return m
	}
	return nil
}
