package intern

// hashTable is a table in which an entry takes the place of another whose hash has the same upper bits. It grows
// while entries do so, up to a limit.
type hashTable[T any] struct {
	entries  []T // a power of two, or none
	shift    uint
	replaced int // entries since the table grew
}

const firstEntries = 32

// at returns the place for an entry with that hash.
func (t *hashTable[T]) at(hash uint64) *T {
	if t.entries == nil {
		t.resize(firstEntries)
	}
	return &t.entries[hash>>t.shift]
}

func (t *hashTable[T]) resize(n int) {
	t.entries, t.replaced, t.shift = make([]T, n), 0, 64
	for ; n > 1; n /= 2 {
		t.shift--
	}
}

// put is called before an entry is stored. It reports whether the table grew, up to most entries, so that the
// entry has another place.
func (t *hashTable[T]) put(most int, hashOf func(*T) (hash uint64, used bool)) bool {
	if t.replaced++; t.replaced <= len(t.entries) || len(t.entries) >= most {
		return false
	}
	t.grow(hashOf)
	return true
}

func (t *hashTable[T]) grow(hashOf func(*T) (hash uint64, used bool)) {
	old := t.entries
	t.resize(2 * len(old))
	for i := range old {
		if hash, used := hashOf(&old[i]); used {
			t.entries[hash>>t.shift] = old[i]
		}
	}
}
