// Package packed compresses the objects of informers in memory.
//
// An informer whose options have Packed holds each object as a compressed text: a Pod takes a tenth of the memory of
// the decoded one, with all that finds it, and one of many replicas a fifteenth. Objects that come by protobuf are stored as they
// come. An object is decoded when somebody gets it, which takes about as long as its
// deep copy, unless it is one of those that were received or read last. That is for informers of many objects of which a
// program reads few at a time, as controllers do that get an object when they reconcile it. It is not for programs that
// list everything again and again: see [cache.PackedState] and the metric informer_decoded_objects_total.
//
// Only programs that import this package link the compressor.
package packed

import (
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// S2 compresses by S2, an extension of Snappy, with dictionaries of up to 64 KiB: some 5 microseconds for a Pod, and 1 to
// decompress it.
var S2 cache.Compression = compression{}

type compression struct{}

// NewDictionary implements [cache.Compression].
func (compression) NewDictionary(samples [][]byte) cache.CompressionDictionary {
	text := slices.Concat(samples...)
	d := s2.MakeDict(text, nil)
	if d == nil { // too short
		return plain{}
	}
	return dictionary{d, min(len(text), s2.MaxDictSize)}
}

// dictionary compresses by a dictionary.
type dictionary struct {
	dict   *s2.Dict
	length int // of its text
}

// Pack implements [cache.CompressionDictionary].
func (d dictionary) Pack(to, text []byte) []byte {
	n := len(to)
	to = slices.Grow(to, s2.MaxEncodedLen(len(text)))
	packed := d.dict.Encode(to[n:cap(to)], text)
	return to[:n+len(packed)]
}

// Unpack implements [cache.CompressionDictionary].
func (d dictionary) Unpack(to, packed []byte) ([]byte, error) {
	return unpack(to, packed, d.dict.Decode)
}

// Size implements [cache.CompressionDictionary].
func (d dictionary) Size() int { return d.length + tableSize }

// tableSize is the size of a dictionary's table.
const tableSize = 32 << 10

// plain compresses without a dictionary.
type plain struct{}

// Pack implements [cache.CompressionDictionary].
func (plain) Pack(to, text []byte) []byte {
	n := len(to)
	to = slices.Grow(to, s2.MaxEncodedLen(len(text)))
	packed := s2.Encode(to[n:cap(to)], text)
	return to[:n+len(packed)]
}

// Unpack implements [cache.CompressionDictionary].
func (plain) Unpack(to, packed []byte) ([]byte, error) { return unpack(to, packed, s2.Decode) }

// Size implements [cache.CompressionDictionary].
func (plain) Size() int { return 0 }

// unpack appends the text of packed to a slice by decode.
func unpack(to, packed []byte, decode func(dst, src []byte) ([]byte, error)) ([]byte, error) {
	size, err := s2.DecodedLen(packed)
	if err != nil {
		return nil, err
	}
	n := len(to)
	to = slices.Grow(to, size)
	text, err := decode(to[n:cap(to)], packed)
	if err != nil {
		return nil, err
	}
	return to[:n+len(text)], nil
}
