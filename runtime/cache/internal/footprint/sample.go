package footprint

// Sample is a part of many objects, from which follows what all of them share. The zero value is empty. The objects must be
// in memory until [Sample.Distinct] is called.
type Sample struct {
	parts   map[uintptr]part
	objects int
	total   int // sizes, with everything counted each time
	boxes   int // of total, what cannot be shared
}

// part is a piece of memory that objects refer to.
type part struct {
	size   int
	first  int  // the number of the first object that refers to it
	shared bool // others do, too
}

// Add adds an object.
func (s *Sample) Add(object any) {
	if s.parts == nil {
		s.parts = map[uintptr]part{}
	}
	s.objects++
	w := walker{part: s.seen}
	w.object(object)
	s.total += w.total
	s.boxes += w.boxes
}

// seen records a part of the last object. It returns true, since what a shared part refers to counts in total, too.
func (s *Sample) seen(at uintptr, size int) bool {
	p, known := s.parts[at]
	switch {
	case !known:
		s.parts[at] = part{size: size, first: s.objects}
	case p.first != s.objects && !p.shared || size > p.size:
		p.shared = p.shared || p.first != s.objects
		p.size = max(p.size, size)
		s.parts[at] = p
	}
	return true
}

// Distinct returns the part, at most 1, of the sum of the sizes of n objects, like those of the sample, that they take if what
// they share counts once. What only one object of the sample has is taken for its own.
func (s *Sample) Distinct(n int) float64 {
	if s.total == 0 || s.objects == 0 {
		return 1
	}
	own, shared := s.boxes, 0
	for _, p := range s.parts {
		if p.shared {
			shared += p.size
		} else {
			own += p.size
		}
	}
	scale := float64(n) / float64(s.objects)
	return (float64(own)*scale + float64(shared)) / (float64(s.total) * scale)
}
