package objectstore

import (
	"reflect"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/footprint"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// Bytes is about how much memory a store takes.
type Bytes struct {
	Objects int   // how many objects were in the store
	Total   int64 // objects, keys and indexes; what objects share counts once

	// Largest is the object that takes most, what it shares with others included, and LargestBytes how much. If there are
	// no objects, both are zero.
	Largest      delta.Name
	LargestBytes int64
}

// meter measures the objects of a store. It measures each object once, when somebody asks.
type meter struct {
	mu       sync.Mutex // guards the fields below; locked before Store.mu
	objects  []measured // by position
	fresh    int        // how many were measured since distinct was determined
	distinct float64    // see [footprint.Sample]; 0 if it is not known
}

// measured is the size of an object. The object is not referenced, so that it can be freed.
type measured struct {
	at   uintptr // where it is; 0 if that does not identify it
	size int
}

// sampled is how many objects are looked at to determine what they share.
const sampled = 256

// Bytes returns how much memory the store takes. Writers do not wait for it. The first call measures all objects, which takes
// a few microseconds for each, and others those that are new since the last call; 16 bytes an object are retained for that.
func (s *Store) Bytes() Bytes {
	m := &s.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	objects := s.View()
	sum, largest := m.measure(objects)
	if s.options.Packed {
		m.distinct = 1 // what packed objects share, their size leaves out
	}
	out := Bytes{Objects: objects.Len(), Total: int64(float64(sum)*m.distinct) + s.overhead()}
	if largest >= 0 {
		out.LargestBytes = int64(m.objects[largest].size)
		out.Largest = s.nameOf(objects.At(largest))
	}
	return out
}

// measure returns the sum of the sizes of objects, and the position of the largest one, -1 if there are none.
func (m *meter) measure(objects View) (sum, largest int) {
	n := objects.Len()
	if n > cap(m.objects) || n < cap(m.objects)/4 {
		m.objects = append(make([]measured, 0, n), m.objects[:min(n, len(m.objects))]...)
	}
	known := min(n, len(m.objects))
	m.objects = m.objects[:n]
	clear(m.objects[known:])
	largest = -1
	for i := range n {
		object, of := objects.At(i), &m.objects[i]
		if at := address(object); at == 0 || at != of.at {
			*of = measured{at, sizeOf(object)}
			m.fresh++
		}
		sum += of.size
		if largest < 0 || of.size > m.objects[largest].size {
			largest = i
		}
	}
	if m.fresh > n/8 || m.distinct == 0 {
		m.distinct, m.fresh = distinct(objects), 0
	}
	return sum, largest
}

// nameOf returns the name of an object, which is not decoded for that; none for one whose key is its caller's.
func (s *Store) nameOf(object any) delta.Name {
	if packed, ok := object.(*packing.Object); ok {
		return delta.Name{Namespace: packed.GetNamespace(), Name: packed.Name()}
	}
	name, _ := s.options.Name(object)
	return name
}

// sizeOf returns the size of an object.
func sizeOf(object any) int {
	if packed, ok := object.(*packing.Object); ok {
		return packed.Size()
	}
	return footprint.Size(object)
}

// distinct returns what part of the sizes of objects counts if what they share counts once.
func distinct(objects View) float64 {
	var sample footprint.Sample
	n := objects.Len()
	size := min(n, sampled)
	for i := range size {
		sample.Add(objects.At(i * n / size))
	}
	return sample.Distinct(n)
}

// address returns where an object is, 0 if it is not a pointer.
func address(object any) uintptr {
	if !delta.IsPointer(object) {
		return 0
	}
	return reflect.ValueOf(object).Pointer()
}

// The sizes of the parts of a store, in bytes.
const (
	perWord   = 8
	entrySize = 64
	cellSize  = 48
	refSize   = 16
	// bucketSize is that of a bucket, its place in the map, and a value of usual length.
	bucketSize = 104 + 24
)

// overhead returns what the store takes besides its objects.
func (s *Store) overhead() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t := s.contents
	d := t.table.directory.Load()
	words := t.objects.Len() + cap(t.cells) + len(d.slots)
	entries := 0
	for _, chunk := range d.chunks {
		entries += len(chunk)
	}
	n := words*perWord + entries*(entrySize+perWord) + len(t.cells)*cellSize
	for _, x := range t.indexes {
		n += len(x.buckets)*bucketSize + len(t.cells)*(refSize+4)
	}
	return int64(n)
}
