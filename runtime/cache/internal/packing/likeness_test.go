package packing

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// affixes compresses a text to the part in which it differs from a sample.
type affixes struct{}

type affix struct{ samples [][]byte }

func (affixes) NewDictionary(samples [][]byte) Dictionary {
	a := &affix{}
	for _, s := range samples {
		a.samples = append(a.samples, append([]byte(nil), s...))
	}
	return a
}

func (a *affix) Pack(to, text []byte) []byte {
	from, first, last := 0, 0, 0
	for i, s := range a.samples {
		n, before, after := min(len(s), len(text)), 0, 0
		for before < n && s[before] == text[before] {
			before++
		}
		for after < n-before && s[len(s)-1-after] == text[len(text)-1-after] {
			after++
		}
		if before+after > first+last {
			from, first, last = i, before, after
		}
	}
	to = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(to, uint64(from)), uint64(first)), uint64(last))
	return append(to, text[first:len(text)-last]...)
}

func (a *affix) Unpack(to, packed []byte) ([]byte, error) {
	var numbers [3]int
	for i := range numbers {
		number, n := binary.Uvarint(packed)
		numbers[i], packed = int(number), packed[n:]
	}
	var s []byte
	if len(a.samples) > 0 {
		s = a.samples[numbers[0]]
	}
	to = append(append(to, s[:numbers[1]]...), packed...)
	return append(to, s[len(s)-numbers[2]:]...), nil
}

func (a *affix) Size() int { return 100 }

// replica returns an object of a group, with a text of the group if it has no note of its own.
func replica(group, i int, note string) *metav1.PartialObjectMetadata {
	m := metadata(fmt.Sprintf("%d-%d", group, i), note)
	m.UID = types.UID(fmt.Sprint("uid-", i))
	m.Labels = map[string]string{"group": fmt.Sprint(group)}
	if note == "note" {
		m.Annotations["of"] = strings.Repeat(fmt.Sprint(group, " "), 300)
	}
	return m
}

// TestReplicas packs the objects of a group by one of them, unless they differ too much or are Secrets.
func TestReplicas(t *testing.T) {
	const groups, each = 3 * nearest, 10
	random := rand.New(rand.NewPCG(1, 1))
	noise := func() string {
		b := make([]byte, 700)
		for i := range b {
			b[i] = byte('a' + random.IntN(26))
		}
		return string(b)
	}
	for name, c := range map[string]struct {
		options Options
		note    func() string
		alike   bool
	}{
		"replicas":              {Options{}, func() string { return "note" }, true},
		"of different contents": {Options{}, noise, false},
		"Secrets":               {Options{Secret: true}, func() string { return "note" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Compression, c.options.Decoded = affixes{}, 2
			p := New(c.options)
			for i := range enough {
				pack(t, p, replica(-1, i, noise()))
			}
			var objects []*Object
			var want []any
			alike, bytes := 0, 0
			for g := range groups {
				for i := range each {
					obj := replica(g, i, c.note())
					o := pack(t, p, obj)
					objects, want = append(objects, o), append(want, obj)
					if o.by.like != nil {
						alike++
						bytes += len(o.packed)
						if of := o.by.like.of; of.in != o.in || of.by.like != nil {
							t.Fatal("the object is packed by one of another group, or by one that is packed by a third")
						}
					}
				}
			}
			if expected := groups * (each - 1); c.alike && (alike != expected || bytes > 100*expected) || !c.alike && alike > groups {
				t.Errorf("%d objects take %d bytes, packed by others", alike, bytes)
			}
			for i := range objects {
				at := i * 7 % len(objects)
				if diff := cmp.Diff(want[at], Open(objects[at])); diff != "" {
					t.Fatalf("object %d (-want +got):\n%s", at, diff)
				}
			}
			// The first one of a group is packed by samples, and its copy by the first one.
			if again, err := p.Pack(want[0], objects[0]); err != nil || again != any(objects[0]) {
				t.Errorf("the same state is stored again (%v)", err)
			}
			made := 0
			for key := range p.groups {
				if like := p.groups[key].like.Load(); like != nil && like != unlike && like.like.made.Load() != nil {
					made++
				}
			}
			if made > nearest {
				t.Errorf("%d dictionaries of single objects", made)
			}
		})
	}
}

// TestReplicasConcurrently packs and reads the objects of many groups in many goroutines.
func TestReplicasConcurrently(t *testing.T) {
	p := New(Options{Compression: affixes{}, Decoded: 2})
	for i := range enough {
		pack(t, p, replica(-1, i, "note"))
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 300 {
				want := replica((i+worker)%(3*nearest), i, "note")
				if got := Copy(pack(t, p, want.DeepCopy())); !cmp.Equal(any(want), got) {
					t.Errorf("got %v, want %v", got, want)
				}
				p.Stats()
			}
		})
	}
	wg.Wait()
}
