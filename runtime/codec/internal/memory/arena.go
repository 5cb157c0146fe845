package memory

import "unsafe"

// Arena is the memory for the strings, bytes and numbers of one object, in a block of their own: what they take
// lives as long as any of them. The zero value is empty.
type Arena struct {
	block []byte // what is left of it has never been handed out
	// Used is the number of bytes that were handed out since Reset.
	Used int
}

const (
	// large is the length from which on strings are allocated alone, so that they live no longer than needed.
	large = 128
	// least is the least size of a block.
	least = 128
)

// Reset begins another object, for which size bytes are expected.
func (a *Arena) Reset(size int) {
	a.block, a.Used = nil, 0
	if size > 0 {
		a.block = make([]byte, (size+7)&^7)
	}
}

// Bytes returns n bytes, n > 0.
func (a *Arena) Bytes(n int) []byte {
	a.Used += n
	if n > len(a.block) {
		a.block = make([]byte, (max(n, least)+7)&^7)
	}
	b := a.block[:n:n]
	a.block = a.block[n:]
	return b
}

// String returns a copy of s.
func (a *Arena) String(s []byte) string {
	if len(s) == 0 || len(s) > large {
		return string(s)
	}
	b := a.Bytes(len(s))
	copy(b, s)
	return unsafe.String(&b[0], len(b))
}

// Place returns the place of a number or bool of size 1, 2, 4 or 8, which is 0.
func (a *Arena) Place(size int) Place {
	// Blocks end at multiples of eight bytes, so that what is left tells how a byte is aligned.
	if k := len(a.block) & (size - 1); k != 0 {
		a.block = a.block[k:]
		a.Used += k
	}
	return Place{unsafe.Pointer(&a.Bytes(size)[0])}
}
