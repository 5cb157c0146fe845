package objectstore

import "github.com/listwatch/listwatch/runtime/cache/internal/dense"

// entry is what finding an object reads: its key, which never changes, and the object. It is one line of
// the processor's cache, and entries are next to each other, so that few pages of memory contain them.
type entry struct {
	latest dense.Latest // the object; all of an entry's objects are of one type
	long   string       // the key, if it is longer than short
	short  [31]byte     // the key otherwise
	length uint8        // of the key in short
}

// init sets the key and the object of a new entry.
func (e *entry) init(key []byte, object any) {
	if len(key) <= len(e.short) {
		e.length = uint8(copy(e.short[:], key))
	} else {
		e.long = string(key)
	}
	e.latest.Init(object)
}

// copy makes a new entry a copy of one in a table.
func (e *entry) copy(from *entry) {
	object, _ := from.latest.Load()
	e.latest.Init(object)
	e.long, e.short, e.length = from.long, from.short, from.length
}

// isKey reports whether an entry has a key.
func isKey[K string | []byte](e *entry, key K) bool {
	if len(key) > len(e.short) {
		return e.long == string(key)
	}
	return int(e.length) == len(key) && string(e.short[:e.length&31]) == string(key) && e.long == ""
}

// cell is an object of a store for the writer: its entry, and where it is elsewhere.
type cell struct {
	*entry
	id         uint32 // of its entry in the table
	hash       uint32 // of its key
	pos        uint32 // its position in contents.objects and contents.cells
	generation uint32 // of the last list that contained it
	refs       []ref  // its positions in the indexes, in the order of contents.indexes
}

// cell1 and cell2 are cells with memory for their first refs.
type (
	cell1 struct {
		cell
		few [1]ref
	}
	cell2 struct {
		cell
		few [2]ref
	}
)

// newCell returns a cell with room for so many refs, without an entry.
func newCell(refs int) *cell {
	switch refs {
	case 0:
		return &cell{}
	case 1:
		c := &cell1{}
		c.refs = c.few[:0]
		return &c.cell
	case 2:
		c := &cell2{}
		c.refs = c.few[:0]
		return &c.cell
	default:
		return &cell{refs: make([]ref, 0, refs)}
	}
}

// object returns the object of a cell that is in a table.
func (c *cell) object() any {
	object, _ := c.latest.Load()
	return object
}

// key returns the cell's key.
func (c *cell) key() string {
	if c.long != "" {
		return c.long
	}
	return string(c.short[:c.length])
}

// appendKey appends the cell's key.
func (c *cell) appendKey(to []byte) []byte {
	return append(append(to, c.long...), c.short[:c.length]...)
}

// keys returns the keys of n cells, which are parts of one string.
func keys(n int, at func(i int) *cell) []string {
	var text []byte
	ends := make([]int, n)
	for i := range ends {
		text = at(i).appendKey(text)
		ends[i] = len(text)
	}
	all, start := string(text), 0
	out := make([]string, n)
	for i, end := range ends {
		out[i], start = all[start:end], end
	}
	return out
}
