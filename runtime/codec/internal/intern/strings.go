package intern

import "github.com/listwatch/listwatch/runtime/internal/jsonscan"

// texts are strings that came before. A string gets an entry when it comes for the second time, so that those that
// come once replace none.
type texts struct {
	hashTable[string]
	once []uint32 // for each entry, lower bits of the hash of the last string that came without getting it
}

// get returns s as a string if it came before. The table has up to most entries.
func (t *texts) get(s []byte, hash uint64, most int) (text string, came bool) {
	at := t.at(hash)
	if *at == string(s) {
		return *at, true
	}
	if len(t.once) != len(t.entries) {
		t.once = make([]uint32, len(t.entries))
	}
	once := &t.once[hash>>t.shift]
	again := *once == uint32(hash)
	if crowded := again && *at != "" || !again && *once != 0; crowded && t.put(most, hashOfText) {
		t.once = make([]uint32, len(t.entries))
		once = &t.once[hash>>t.shift]
	}
	if !again {
		*once = uint32(hash)
		return "", false
	}
	at = t.at(hash)
	*at = string(s)
	return *at, true
}

func hashOfText(s *string) (hash uint64, used bool) { return jsonscan.Hash([]byte(*s)), *s != "" }

// box is a string as an untyped value: the interface is an allocation of its own.
type box struct {
	text  string
	value any
}

const mostBoxes = 1024

func hashOfBox(b *box) (uint64, bool) { return jsonscan.Hash([]byte(b.text)), b.value != nil }
