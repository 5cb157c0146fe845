package packing

import (
	"sync"
	"sync/atomic"
)

// likeness packs the objects of a group by one of them: replicas differ in little. Its dictionary is made of that object's text
// when it is needed, and dropped when those of others were.
type likeness struct {
	of   *Object // packed by a dictionary of samples
	made atomic.Pointer[Dictionary]
}

// unlike is the dictionary of groups whose objects differ too much.
var unlike = new(dictionary)

// like returns the dictionary by which other objects of o's group are packed.
func (o *Object) like() *dictionary { return &dictionary{like: &likeness{of: o}} }

// dictionary returns the dictionary.
func (l *likeness) dictionary() (Dictionary, error) {
	if made := l.made.Load(); made != nil {
		return *made, nil
	}
	text, free, err := l.of.unpack()
	if err != nil {
		return nil, err
	}
	defer free()
	p := l.of.in.kind.packer
	made := p.lexicon.compression.NewDictionary([][]byte{text})
	l.made.Store(&made)
	p.near.add(l)
	return made, nil
}

// nearest is how many dictionaries of single objects there are at once: lists are sorted, so that one does for a list.
const nearest = 4

// near are the likenesses whose dictionaries were made last.
type near struct {
	mu   sync.Mutex // guards the fields below
	last [nearest]*likeness
	next int
}

// add adds a likeness in place of another.
func (n *near) add(l *likeness) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if before := n.last[n.next]; before != nil && before != l {
		before.made.Store(nil)
	}
	n.last[n.next] = l
	n.next = (n.next + 1) % nearest
}

// size returns about how many bytes the dictionaries take.
func (n *near) size() (bytes int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, l := range n.last {
		if l != nil {
			if made := l.made.Load(); made != nil {
				bytes += (*made).Size()
			}
		}
	}
	return bytes
}

const (
	// wellPacked is what part of a text a likeness may leave without being compared with a dictionary of samples.
	wellPacked = 10
	// A likeness must take a quarter less than a dictionary of samples.
	muchLess, muchLessOf = 3, 4
)

// packAlike appends the text of a new object of o's group, packed by the group's likeness. It returns nil if there is none, or none any
// more.
func (p *Packer) packAlike(o *Object, to, text []byte) (packed []byte) {
	by := o.in.like.Load()
	if by == nil || by == unlike {
		return nil
	}
	d, err := by.like.dictionary()
	if err != nil {
		o.in.like.Store(unlike)
		return nil
	}
	packed = d.Pack(to, text)
	if n := len(packed) - len(to); n*wellPacked > len(text) {
		s := takeScratch()
		s.b = o.by.Pack(s.b, text)
		other := len(s.b)
		s.put(false)
		if n*muchLessOf > other*muchLess {
			o.in.like.Store(unlike)
			return nil
		}
	}
	o.by = by
	return packed
}
