package packing

import "sync"

// Compression compresses texts.
type Compression interface {
	// NewDictionary returns a dictionary for texts like samples, whose memory it does not retain; without samples one for all texts.
	// Its methods may be called concurrently.
	NewDictionary(samples [][]byte) Dictionary
}

// Dictionary compresses texts that resemble the samples that it was made of.
type Dictionary interface {
	// Pack appends a compressed text to a slice.
	Pack(to, text []byte) []byte
	// Unpack appends the text to a slice.
	Unpack(to, packed []byte) ([]byte, error)
	// Size returns about how many bytes of memory the dictionary takes.
	Size() int
}

// dictionary is one with what is known of its use, or a likeness.
type dictionary struct {
	Dictionary
	like        *likeness // if set, the other fields are not
	learned     bool      // it is made of samples
	first, last share
}

// unpack appends a text to a slice.
func (d *dictionary) unpack(to []byte, packed []byte) ([]byte, error) {
	if d.like == nil {
		return d.Unpack(to, packed)
	}
	made, err := d.like.dictionary()
	if err != nil {
		return nil, err
	}
	return made.Unpack(to, packed)
}

// share is how much texts are compressed, of some of them.
type share struct{ texts, packed int }

func (s *share) add(text, packed int) { s.texts, s.packed = s.texts+text, s.packed+packed }

const (
	// sampled is how many texts a dictionary is made of at most, every samplePeriod'th of those that arrive.
	sampled      = 24
	samplePeriod = 8
	// longestSample is the number of bytes of a text that may be in a sample.
	longestSample = 8 << 10
	// enough is the number of objects from which on a dictionary is made of objects that are far enough apart. A first
	// one is made of sampled objects.
	enough = sampled * samplePeriod
	// watched is the number of bytes after which the share of a dictionary is looked at.
	watched = 256 << 10
)

// lexicon makes the dictionaries of an informer.
type lexicon struct {
	compression Compression
	plain       *dictionary // without samples

	mu      sync.Mutex // guards the fields below, and the shares of current
	current *dictionary
	texts   int // that were added
	samples [][]byte
	made    int // dictionaries with samples
}

func newLexicon(c Compression) *lexicon {
	l := &lexicon{compression: c, plain: &dictionary{Dictionary: c.NewDictionary(nil)}}
	l.current = l.plain
	return l
}

// choose returns the dictionary for a text that is not secret, and takes the text as a sample.
func (l *lexicon) choose(text []byte) *dictionary {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.samples) < sampled || l.texts%samplePeriod == 0 {
		sample := append([]byte(nil), text[:min(len(text), longestSample)]...)
		if len(l.samples) < sampled {
			l.samples = append(l.samples, sample)
		} else {
			l.samples[l.texts/samplePeriod%sampled] = sample
		}
	}
	if l.texts++; l.texts == sampled || l.texts == enough {
		l.learn()
	}
	return l.current
}

// packed records how much a text was compressed. If texts take a third more than when the dictionary was new, it makes another.
func (l *lexicon) packed(by *dictionary, text, packed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if by != l.current || !by.learned {
		return
	}
	if by.first.texts < watched {
		by.first.add(text, packed)
		return
	}
	if by.last.add(text, packed); by.last.texts < watched {
		return
	}
	if 3*by.last.packed*by.first.texts > 4*by.first.packed*by.last.texts {
		l.learn()
	}
	by.last = share{}
}

// learn makes a dictionary of the samples. l.mu is held.
func (l *lexicon) learn() {
	l.current = &dictionary{Dictionary: l.compression.NewDictionary(l.samples), learned: true}
	l.made++
}

// size returns about how many bytes the dictionary in use and the samples take.
func (l *lexicon) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.current.Size()
	for _, sample := range l.samples {
		n += len(sample)
	}
	return n
}
