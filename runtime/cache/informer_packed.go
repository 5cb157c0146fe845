package cache

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
	"github.com/listwatch/listwatch/runtime/codec"
)

// Compression compresses the texts of packed objects: see Packed of [SharedIndexInformerOptions]. Package packed has one.
type Compression interface {
	// NewDictionary returns a dictionary for texts that resemble samples, whose memory it does not retain. Without samples, it is
	// for any text. It and the methods of the dictionary may be called concurrently.
	NewDictionary(samples [][]byte) CompressionDictionary
}

// CompressionDictionary compresses texts by a dictionary.
type CompressionDictionary interface {
	// Pack appends a compressed text to a slice.
	Pack(to, text []byte) []byte
	// Unpack appends the text that was compressed to a slice.
	Unpack(to, packed []byte) ([]byte, error)
	// Size returns about how many bytes of memory the dictionary takes.
	Size() int
}

// compression is a [Compression] for package packing.
type compression struct{ Compression }

func (c compression) NewDictionary(samples [][]byte) packing.Dictionary {
	return c.Compression.NewDictionary(samples)
}

// GetCopy returns a copy of the object of a name, which the caller owns, from an indexer. A packed object that is not
// decoded is decoded for it alone, which takes about as long as a deep copy; others are copied by their DeepCopyObject.
// An object without that is returned as it is.
func GetCopy(indexer Indexer, namespace, name string) (obj any, exists bool, err error) {
	objectName := ObjectName{Namespace: namespace, Name: name}
	if s := storeOf(indexer); s != nil {
		if err = s.Readable(); err == nil {
			obj, exists = s.Held(delta.Name(objectName))
		}
	} else {
		obj, exists, err = indexer.GetByKey(objectName.String())
	}
	if err != nil || !exists {
		return nil, false, err
	}
	return packing.Copy(obj), true, nil
}

// PackedState describes the packed objects of an informer.
type PackedState struct {
	// Decoded is the number of objects that are decoded now, because they arrived or were used last.
	Decoded int
	// Decodes counts the objects that were decoded because they were read when they were not decoded any more, or not yet.
	// Lists of everything make it grow.
	Decodes int64
	// Whole counts the objects that could not be packed, and were stored as they are.
	Whole int64
	// Dictionaries counts the dictionaries that were made.
	Dictionaries int
}

// defaultDecoded is the number of packed objects that stay decoded.
const defaultDecoded = 1024

// newPacker returns the packer of an informer, nil if its objects are not packed.
func (o *informerOptions) newPacker() *packing.Packer {
	if o.Packed == nil {
		return nil
	}
	resource := o.Identifier.GroupVersionResource().Resource
	options := packing.Options{
		Compression:    compression{o.Packed},
		Decoded:        defaultDecoded,
		Secret:         resource == "secrets",
		SecretMetadata: resource == "", // it may be that of Secrets
	}
	if o.decoded > 0 {
		options.Decoded = o.decoded
	}
	return packing.New(options)
}

// packFunc returns the function that packs an object, nil if the objects are not packed.
func (s *sharedInformer) packFunc() func(obj, stored any) (any, error) {
	if s.packer == nil {
		return nil
	}
	return func(obj, stored any) (any, error) {
		packed, err := s.packer.Pack(obj, stored)
		if err != nil && s.transforming() {
			return nil, fmt.Errorf("pack transformed %T: %w", obj, err)
		}
		return packed, nil
	}
}

// takesTexts reports whether objects of a source with a transform are stored as they were received: see [codec.WithTexts].
func (s *sharedInformer) takesTexts(of transform) bool {
	return s.packer != nil && s.detector == nil && (of.apply == nil || of.dropsManaged && of.fields == nil)
}

// withTexts returns a context for a list of a source whose texts are compared with those that are stored: fields that the objects'
// types do not have are in both.
func (s *sharedInformer) withTexts(ctx context.Context, source int) context.Context {
	s.mu.Lock()
	of := s.transformOf(source)
	s.mu.Unlock()
	if !s.takesTexts(of) || !passesTexts(s.sources[source].ListerWatcher) {
		return ctx
	}
	if of.dropsManaged {
		ctx = codec.WithoutManagedFields(ctx)
	}
	return codec.WithTexts(ctx)
}

// transforming reports whether there is a transform that may make objects what cannot be encoded.
func (s *sharedInformer) transforming() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.sources {
		if t := s.transformOf(i); t.apply != nil && !t.dropsManaged {
			return true
		}
	}
	return false
}

// packedState returns the state of the packed objects, and how many bytes they take besides those of each; nil if they are not packed.
func (s *sharedInformer) packedState() (*PackedState, int64) {
	if s.packer == nil {
		return nil, 0
	}
	stats := s.packer.Stats()
	return &PackedState{
		Decoded: stats.Decoded, Decodes: stats.Decodes, Whole: stats.Whole, Dictionaries: stats.Dictionaries,
	}, int64(stats.Bytes)
}
