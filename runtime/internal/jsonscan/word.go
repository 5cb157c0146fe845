package jsonscan

import (
	"encoding/binary"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	prime = 0x9E3779B97F4A7C15
)

// special returns a mask whose lowest bit is in the first byte of w that ends the plain part of a string: a quote,
// a backslash, a control character, or one that is not ASCII. It is 0 if there is none. Bits above the lowest may
// be set without reason, because of borrows.
func special(w uint64) uint64 {
	quote := w ^ ones*'"'
	escape := w ^ ones*'\\'
	return ((quote-ones)&^quote | (escape-ones)&^escape | (w - ones*0x20) | w) & highs
}

// Word returns the eight bytes at i, filled up with zeros, which are control characters, where b ends.
func Word(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	return tail(b, i)
}

func tail(b []byte, i int) uint64 {
	var w uint64
	for k := len(b) - 1; k >= i; k-- {
		w = w<<8 | uint64(b[k])
	}
	return w
}

// Mix adds w to the hash h.
func Mix(h, w uint64) uint64 {
	h = (h ^ w) * prime
	return h ^ h>>29
}

// Hash returns the hash of s that [Scanner.String] returns. Its upper bits are the better ones.
func Hash(s []byte) uint64 {
	var h uint64
	i := 0
	for ; i+8 <= len(s); i += 8 {
		h = Mix(h, binary.LittleEndian.Uint64(s[i:]))
	}
	if i < len(s) {
		h = Mix(h, tail(s, i))
	}
	return h * prime
}
