package replicas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"text/template"

	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/listwatch/listwatch/internal/golden"
)

// numbers are what is measured. All are of one replica.
type numbers struct {
	Rings []ringNumbers
	// Candidate and Leader are requests a second: of a replica of an election among ten, and of one that is alone.
	Candidate, Leader float64
	// Whole, Ungated and Gated are bytes of informers: of replicas that have all objects, and of members of a ring
	// without the gate and with it.
	Whole, Ungated, Gated informerNumbers
}

// ringNumbers are of a ring in which nothing happens.
type ringNumbers struct {
	Members, Slots  int
	Requests, Bytes float64 // a second
}

// informerNumbers are bytes that an informer gets for an object of the cluster in a list, and for a change.
type informerNumbers struct{ List, Change float64 }

// most is what a member of a ring must send less than, in requests a second.
const most = 0.2

// sharing is how many replicas share objects where bytes are measured.
const sharing = 5

// measure measures everything.
func measure(t *testing.T) numbers {
	t.Helper()
	n := numbers{Candidate: election(t, 10), Leader: election(t, 1)}
	for _, r := range []ringNumbers{{Members: 1, Slots: 64}, {Members: 3, Slots: 64}, {Members: 5, Slots: 64}, {Members: 10, Slots: 64}, {Members: 30, Slots: 256}, {Members: 100, Slots: 512}, {Members: 100, Slots: 4096}} {
		r.Requests, r.Bytes = ring(t, r.Members, r.Slots)
		if r.Requests >= most {
			t.Errorf("a member of %d sends %.3f requests a second, want less than %g", r.Members, r.Requests, most)
		}
		n.Rings = append(n.Rings, r)
	}
	n.Whole.List, n.Whole.Change = objects(t, sharing, false)
	n.Ungated.List, n.Ungated.Change = objects(t, sharing, true)
	gate := utilfeature.DefaultMutableFeatureGate
	if err := gate.Set("ShardedListAndWatch=true"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := gate.Set("ShardedListAndWatch=false"); err != nil {
			t.Error(err)
		}
	}()
	n.Gated.List, n.Gated.Change = objects(t, sharing, true)
	return n
}

// TestNumbers compares what is measured with testdata/numbers.json, and docs/replicas.md and its picture with what follows.
func TestNumbers(t *testing.T) {
	const file = "testdata/numbers.json"
	got := measure(t)
	if golden.Update {
		text, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err = os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want numbers
	if err = json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	compare(t, "", values(t, got), values(t, want))
	docs := filepath.Join(golden.Root(t), "docs")
	golden.File(t, filepath.Join(docs, "replicas.md"), render(t, "replicas.md.tmpl", newPage(want)))
	golden.File(t, filepath.Join(docs, "replicas-scale.svg"), render(t, "replicas-scale.svg.tmpl", newPage(want)))
}

func values(t *testing.T, n numbers) (values map[string]any) {
	t.Helper()
	text, err := json.Marshal(n)
	if err == nil {
		err = json.Unmarshal(text, &values)
	}
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// compare fails if numbers differ by more than a tenth.
func compare(t *testing.T, path string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		for key, value := range want {
			compare(t, path+"."+key, got.(map[string]any)[key], value)
		}
	case []any:
		for i, value := range want {
			compare(t, fmt.Sprintf("%s[%d]", path, i), got.([]any)[i], value)
		}
	case float64:
		if got := got.(float64); math.Abs(got-want) > want/10 {
			t.Errorf("%s is %g, want %g", path[1:], got, want)
		}
	}
}

// The cluster of the page.
const (
	replicas = 100
	stored   = 1_000_000
	changes  = 10_000 // a second
)

// page is what the document shows.
type page struct {
	numbers
	Replicas, Stored, Changes int
	Sharing                   int
	Ways                      []way
}

// way is how replicas work together.
type way struct {
	Name, Note string
	// Coordination is how many requests a second the replicas send for it, in all.
	Coordination float64
	// List is how many bytes a replica gets when it starts, Each how many a second for changes, and Total what the
	// server sends all a second.
	List, Each, Total float64
	// Decoded is how many changes a second a replica decodes.
	Decoded int
	// Leaves is how many objects are written when a replica leaves, and Comes when one comes.
	Leaves, Comes int
}

func newPage(n numbers) page {
	p := page{numbers: n, Replicas: replicas, Stored: stored, Changes: changes, Sharing: sharing}
	largest := n.Rings[len(n.Rings)-2] // as many members as replicas
	whole := func(name, note string, coordination float64, decoded int) way {
		return way{
			Name: name, Note: note, Coordination: coordination, List: n.Whole.List * stored, Each: n.Whole.Change * changes,
			Total: n.Whole.Change * changes * replicas, Decoded: decoded,
		}
	}
	part := func(name, note string, coordination float64, moved, came int) way {
		share := sharing / float64(replicas) // of what was measured
		return way{
			Name: name, Note: note, Coordination: coordination, List: n.Gated.List * stored * share, Each: n.Gated.Change * changes * share,
			Total: n.Gated.Change * changes * sharing, Decoded: changes / replicas, Leaves: moved, Comes: came,
		}
	}
	p.Ways = []way{
		whole("leader election", "one works", n.Candidate*replicas, changes),
		whole("static shards", "all work", 0, changes),
		part("kubernetes-controller-sharding", "all work", n.Leader*replicas, stored/replicas, 2*stored/replicas),
		whole("a ring, without the gate", "all work", largest.Requests*replicas, changes/replicas),
		part("a ring, with the gate", "all work", largest.Requests*replicas, 0, 0),
	}
	return p
}

func render(t *testing.T, name string, p page) string {
	t.Helper()
	functions := template.FuncMap{"bytes": bytesOf, "number": number, "bar": bar, "add": func(a, b int) int { return a + b }, "mul": func(a, b int) int { return a * b }}
	tmpl, err := template.New(name).Funcs(functions).ParseFiles(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err = tmpl.Execute(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// bytesOf returns bytes with two digits.
func bytesOf(n float64) string {
	for _, unit := range []string{"B", "KB", "MB"} {
		if n < 1000 {
			return number(n) + " " + unit
		}
		n /= 1000
	}
	return number(n) + " GB"
}

// number returns a number with two digits, or all before the point.
func number(n float64) string {
	if n == 0 {
		return "0"
	}
	digits := max(0, 1-int(math.Floor(math.Log10(n))))
	return fmt.Sprintf("%.*f", digits, n)
}

// bar returns the length of a bar for bytes a second, on a logarithmic scale from 10 KB.
func bar(n float64) int { return int(100 * math.Log10(n/1e4)) }
