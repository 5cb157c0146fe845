package packing

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// recorder is a compression that compresses nothing, except texts that are in a sample, and records what it is called with.
type recorder struct {
	mu       sync.Mutex
	made     []*recorded
	failures bool
}

type recorded struct {
	samples [][]byte
	mu      sync.Mutex
	packed  [][]byte
	failing *bool
}

func (r *recorder) NewDictionary(samples [][]byte) Dictionary {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := &recorded{failing: &r.failures}
	for _, s := range samples {
		d.samples = append(d.samples, bytes.Clone(s))
	}
	r.made = append(r.made, d)
	return d
}

func (d *recorded) Pack(to, text []byte) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.packed = append(d.packed, bytes.Clone(text))
	for i, s := range d.samples {
		if n := min(20, len(s), len(text)); bytes.Equal(s[:n], text[:n]) {
			return append(append(to, byte(i)), text[n:]...)
		}
	}
	return append(append(to, 255), text...)
}

func (d *recorded) Unpack(to, packed []byte) ([]byte, error) {
	if *d.failing {
		return nil, errors.New("broken")
	}
	if i := packed[0]; i < 255 {
		s := d.samples[i]
		to = append(to, s[:min(20, len(s))]...)
	}
	return append(to, packed[1:]...), nil
}

func (d *recorded) Size() int { return len(d.samples) }

func untyped(kind, name, note string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"aaa": note, "apiVersion": "v1", "kind": kind, "metadata": map[string]any{"name": name, "namespace": "bay", "labels": map[string]any{"color": "red"}},
	}}
}

func metadata(name, note string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{Kind: "PartialObjectMetadata", APIVersion: "meta.k8s.io/v1"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: name, Labels: map[string]string{"color": "red"}, Annotations: map[string]string{"note": note}},
	}
}

// pack packs an object.
func pack(t testing.TB, p *Packer, obj any) *Object {
	t.Helper()
	packed, err := p.Pack(obj, nil)
	o, ok := packed.(*Object)
	if err != nil || !ok {
		t.Fatalf("packed is %T (%v)", packed, err)
	}
	return o
}

// TestPackedObjects come back, as the same one while they are decoded, otherwise as equal ones.
func TestPackedObjects(t *testing.T) {
	p := New(Options{Compression: &recorder{}, Decoded: 2})
	var objects []*Object
	var want []runtime.Object
	for i := range 500 {
		obj := runtime.Object(untyped("Ship", fmt.Sprint(i), "note"))
		if i%2 == 0 {
			obj = metadata(fmt.Sprint(i), "note")
		}
		objects, want = append(objects, pack(t, p, obj)), append(want, obj)
		if Open(objects[i]) != any(obj) {
			t.Fatal("an object that came just now is not the one that came")
		}
	}
	for i, o := range objects {
		got := Open(o)
		if diff := cmp.Diff(any(want[i]), got); diff != "" {
			t.Fatalf("object %d (-want +got):\n%s", i, diff)
		}
		if Open(o) != got {
			t.Fatal("an object that was read just now is another")
		}
		if o.Name() != fmt.Sprint(i) || o.GetNamespace() != "bay" || o.GetLabels()["color"] != "red" {
			t.Fatalf("%s/%s has labels %v", o.GetNamespace(), o.Name(), o.GetLabels())
		}
	}
	stats := p.Stats()
	if stats.Decoded != 2 || stats.Decodes < 498 || stats.Whole != 0 || stats.Dictionaries != 2 || stats.Bytes == 0 {
		t.Errorf("%+v", stats)
	}
}

// TestSame compares states, also of different dictionaries.
func TestSame(t *testing.T) {
	p := New(Options{Compression: &recorder{}, Decoded: 1})
	first := pack(t, p, untyped("Ship", "a", "note"))
	for i := range 300 {
		pack(t, p, untyped("Ship", fmt.Sprint(i), "note"))
	}
	for _, c := range []struct {
		obj  runtime.Object
		want bool
	}{
		{untyped("Ship", "a", "note"), true},
		{untyped("Ship", "a", "other"), false},
		{untyped("Boat", "a", "note"), false},
		{metadata("a", "note"), false},
	} {
		second := pack(t, p, c.obj)
		if second.by == first.by {
			t.Fatal("one dictionary")
		}
		if got := Same(first, second); got != c.want {
			t.Errorf("%v: %t", c.obj, got)
		}
		again, err := p.Pack(c.obj.DeepCopyObject(), second)
		if err != nil || again != any(second) {
			t.Errorf("the same state is packed as %v (%v), want the stored one", again, err)
		}
	}
	plain, kinded := metadata("a", "note"), metadata("a", "note")
	plain.TypeMeta = metav1.TypeMeta{}
	if !Same(pack(t, p, plain), pack(t, p, kinded)) {
		t.Error("the kind in a typed object counts")
	}
}

// TestNothingOfASecretIsElsewhere packs Secrets among other objects.
func TestNothingOfASecretIsElsewhere(t *testing.T) {
	const secret = "swordfish"
	for name, secrets := range map[string]struct {
		options Options
		make    func(i int) runtime.Object
	}{
		"untyped":            {Options{}, func(i int) runtime.Object { return untyped("Secret", fmt.Sprint(i), secret) }},
		"of no kind":         {Options{}, func(i int) runtime.Object { return untyped("", fmt.Sprint(i), secret) }},
		"metadata":           {Options{SecretMetadata: true}, func(i int) runtime.Object { return metadata(fmt.Sprint(i), secret) }},
		"all of an informer": {Options{Secret: true}, func(i int) runtime.Object { return untyped("Ship", fmt.Sprint(i), secret) }},
	} {
		r := &recorder{}
		secrets.options.Compression, secrets.options.Decoded = r, 3
		p := New(secrets.options)
		for i := range 400 {
			o := pack(t, p, secrets.make(i))
			if o.by.learned {
				t.Errorf("%s: a Secret is packed by others", name)
			}
			if !secrets.options.Secret {
				pack(t, p, untyped("Boat", fmt.Sprint(i), "note"))
			}
		}
		for n, d := range r.made {
			for _, sample := range d.samples {
				if bytes.Contains(sample, []byte(secret)) {
					t.Errorf("%s: dictionary %d is made of a Secret", name, n)
				}
			}
			for _, text := range d.packed {
				if n > 0 && bytes.Contains(text, []byte(secret)) {
					t.Errorf("%s: dictionary %d packs a Secret", name, n)
				}
			}
		}
		for key, g := range p.groups {
			if len(g.labels) > 0 && strings.Contains(name, "all") {
				t.Errorf("%s: labels %q are shared", name, key.labels)
			}
		}
		s := takeScratch()
		if bytes.Contains(s.b[:cap(s.b)], []byte(secret)) {
			t.Errorf("%s: a Secret is in memory that is used again", name)
		}
		s.put(false)
	}
}

// TestDictionariesFollow has objects become others: a dictionary is made of them, and the old ones can still be read.
func TestDictionariesFollow(t *testing.T) {
	r := &recorder{}
	p := New(Options{Compression: r, Decoded: 1})
	var objects []*Object
	var want []any
	for phase := range 3 {
		for i := range 600 {
			obj := untyped("Ship", fmt.Sprint(i), strings.Repeat(string(rune('a'+phase)), 1000))
			objects, want = append(objects, pack(t, p, obj)), append(want, obj)
		}
	}
	made := p.Stats().Dictionaries
	if made != 2 { // this compression does not get worse: it takes 20 bytes off a text
		t.Errorf("%d dictionaries", made)
	}
	l := newLexicon(r)
	for range 2 * enough {
		l.choose([]byte("text"))
	}
	by := l.current
	for _, share := range []int{10, 12, 14} {
		for range watched/1000 + 2 {
			l.packed(by, 1000, share*10)
		}
		if another := l.current != by; another != (share == 14) {
			t.Errorf("texts take %d %%: another dictionary is %t", share, another)
		}
	}
	for i, o := range objects {
		if diff := cmp.Diff(want[i], Open(o)); diff != "" {
			t.Fatalf("object %d (-want +got):\n%s", i, diff)
		}
	}
}

// forgetful loses a field when it is encoded.
type forgetful struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Lost              string `json:"-"`
}

func (f *forgetful) DeepCopyObject() runtime.Object { c := *f; return &c }

// TestWhatCannotBePacked stays as it is, and is counted.
func TestWhatCannotBePacked(t *testing.T) {
	p := New(Options{Compression: &recorder{}, Decoded: 1})
	bad := untyped("Ship", "bad", "")
	bad.Object["aaa"] = int32(1)
	lossy := &forgetful{ObjectMeta: metav1.ObjectMeta{Name: "lossy"}, Lost: "field"}
	for _, obj := range []runtime.Object{bad, lossy} {
		packed, err := p.Pack(obj, nil)
		if err == nil || Open(packed) != any(obj) {
			t.Errorf("%T is packed as %T (%v)", obj, packed, err)
		}
		o := packed.(*Object)
		again, _ := p.Pack(obj, o)
		if again == packed || Same(o, again.(*Object)) {
			t.Error("objects that are not packed are taken for the same state")
		}
		if o.Size() <= objectSize || o.Name() == "" {
			t.Errorf("%s takes %d bytes", o.Name(), o.Size())
		}
	}
	if fine, err := p.Pack(&forgetful{ObjectMeta: metav1.ObjectMeta{Name: "fine"}}, nil); err != nil {
		t.Errorf("%T: %v", fine, err)
	}
	for range 100 {
		pack(t, p, untyped("Ship", "a", "note"))
	}
	if whole := p.Stats().Whole; whole != 4 {
		t.Errorf("%d objects are whole", whole)
	}
	for _, obj := range []any{nil, 1, "a", (*forgetful)(nil), &metav1.Status{}} {
		if packed, err := p.Pack(obj, nil); packed != obj || err != nil {
			t.Errorf("%T is packed as %T (%v)", obj, packed, err)
		}
	}
	o := pack(t, p, untyped("Ship", "a", "note"))
	if again, err := p.Pack(o, nil); again != any(o) || err != nil {
		t.Errorf("a packed object is packed as %T (%v)", again, err)
	}
}

// TestBrokenTextPanics has a text be lost, which reads cannot report otherwise.
func TestBrokenTextPanics(t *testing.T) {
	r := &recorder{}
	p := New(Options{Compression: r, Decoded: 1})
	o := pack(t, p, untyped("Ship", "a", "note"))
	pack(t, p, untyped("Ship", "b", "note"))
	r.failures = true
	defer func() {
		if cause := fmt.Sprint(recover()); cause != "packed object bay/a cannot be decoded: broken" {
			t.Error(cause)
		}
	}()
	Open(o)
}

// TestKeepDecoded has all objects stay the ones that came.
func TestKeepDecoded(t *testing.T) {
	p := New(Options{Compression: &recorder{}, Decoded: 1})
	p.KeepDecoded()
	var objects []*Object
	var want []any
	for i := range 100 {
		obj := untyped("Ship", fmt.Sprint(i), "note")
		objects, want = append(objects, pack(t, p, obj)), append(want, obj)
	}
	for i, o := range objects {
		if Open(o) != want[i] {
			t.Fatal("an object is another")
		}
	}
}

// TestConcurrently packs and reads in many goroutines.
func TestConcurrently(t *testing.T) {
	p := New(Options{Compression: &recorder{}, Decoded: 4})
	var shared []*Object
	for i := range 40 {
		shared = append(shared, pack(t, p, metadata(fmt.Sprint(i), "note")))
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for i := range 400 {
				o := shared[i%len(shared)]
				if m, ok := Open(o).(*metav1.PartialObjectMetadata); !ok || m.Name != o.Name() {
					t.Errorf("%s is %v", o.Name(), m)
				}
				other := pack(t, p, metadata(fmt.Sprint(i%len(shared)), "note"))
				if !Same(o, other) {
					t.Errorf("%s is not the same", o.Name())
				}
				p.Stats()
			}
		})
	}
	wg.Wait()
}

// FuzzPacked packs random objects one after the other, and reads them in random order.
func FuzzPacked(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := New(Options{Compression: &recorder{}, Decoded: 1 + random.IntN(10)})
		var objects []*Object
		var want []any
		for range 1 + random.IntN(300) {
			kind, name := []string{"Ship", "Boat", "Secret"}[random.IntN(3)], fmt.Sprint(random.IntN(20))
			note := strings.Repeat(fmt.Sprint(random.IntN(5)), random.IntN(2000))
			var obj any = untyped(kind, name, note)
			if random.IntN(2) == 0 {
				obj = metadata(name, note)
			}
			objects, want = append(objects, pack(t, p, obj)), append(want, obj)
			if i := random.IntN(len(objects)); !cmp.Equal(want[i], Open(objects[i])) {
				t.Fatalf("object %d is\n%v, want\n%v", i, Open(objects[i]), want[i])
			}
		}
	})
}
