package packed_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/packed"
)

// text returns a text that resembles others.
func text(random *rand.Rand) []byte {
	var b bytes.Buffer
	for range random.IntN(300) {
		fmt.Fprintf(&b, `{"name":"ship-%d","port":%d},`, random.IntN(10), random.IntN(1<<30))
	}
	return b.Bytes()
}

// FuzzS2 packs texts with and without dictionaries, and unpacks them.
func FuzzS2(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		var samples [][]byte
		for range random.IntN(30) {
			samples = append(samples, text(random))
		}
		d := packed.S2.NewDictionary(samples)
		for _, s := range samples {
			clear(s) // it does not retain their memory
		}
		prefix := []byte("prefix")
		for range 10 {
			want := text(random)
			to := append(make([]byte, 0, random.IntN(100)), prefix...)
			p := d.Pack(to, want)
			if !bytes.HasPrefix(p, prefix) {
				t.Fatal("it does not append")
			}
			got, err := d.Unpack(append(make([]byte, 0, random.IntN(10_000)), prefix...), p[len(prefix):])
			if err != nil || !bytes.Equal(got, append(prefix[:len(prefix):len(prefix)], want...)) {
				t.Fatalf("unpacked %d bytes (%v), want %d", len(got), err, len(want))
			}
		}
	})
}

// TestS2Compresses has dictionaries make short texts shorter, also in many goroutines.
func TestS2Compresses(t *testing.T) {
	sample := bytes.Repeat([]byte("a long text about a ship that is in the harbour. "), 10)
	d, plain := packed.S2.NewDictionary([][]byte{sample}), packed.S2.NewDictionary(nil)
	want := []byte("here is a long text about a ship that is in the harbour")
	if with, without := len(d.Pack(nil, want)), len(plain.Pack(nil, want)); 2*with > without {
		t.Errorf("%d bytes with a dictionary, %d without", with, without)
	}
	if d.Size() <= plain.Size() {
		t.Errorf("the dictionary takes %d bytes, none %d", d.Size(), plain.Size())
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if got, err := d.Unpack(nil, d.Pack(nil, want)); err != nil || !bytes.Equal(got, want) {
					t.Errorf("unpacked %q (%v)", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestS2SaysWhatIsBroken unpacks what nobody packed.
func TestS2SaysWhatIsBroken(t *testing.T) {
	for _, d := range []interface {
		Unpack(to, packed []byte) ([]byte, error)
	}{packed.S2.NewDictionary(nil), packed.S2.NewDictionary([][]byte{bytes.Repeat([]byte("sample"), 10)})} {
		for _, broken := range [][]byte{nil, {200}, []byte("\x05abc"), bytes.Repeat([]byte{255}, 20)} {
			if got, err := d.Unpack(nil, broken); err == nil {
				t.Errorf("%q is unpacked as %q", broken, got)
			}
		}
	}
}
