package packing

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache/internal/footprint"
	"github.com/listwatch/listwatch/runtime/codec"
)

// Options configure a [Packer].
type Options struct {
	Compression Compression
	// Decoded is the number of objects that stay decoded.
	Decoded int
	// Secret has all objects be treated like Secrets, SecretMetadata those that are only metadata.
	Secret, SecretMetadata bool
}

// Packer packs the objects of one informer. It is safe for concurrent use.
type Packer struct {
	options Options
	lexicon *lexicon
	recent  recent
	near    near
	decodes atomic.Int64 // objects that were decoded to be read
	whole   atomic.Int64 // objects that could not be packed, those that have left the store included

	mu     sync.Mutex // guards the fields below
	kinds  map[kindKey]*kindState
	groups map[groupKey]*group          // those of Secrets with labels excluded
	labels map[string]map[string]string // of groups, by their text; those of Secrets excluded
}

// groupKey identifies a group.
type groupKey struct {
	kind              *kind
	namespace, labels string // labels is a text of them
}

// kindKey identifies a kind: an informer may have objects of several.
type kindKey struct {
	object reflect.Type
	gvk    schema.GroupVersionKind
	secret bool
}

// kindState is a kind with what is known of it.
type kindState struct {
	kind
	unknown int // how many objects more are checked
	err     error
}

const (
	// checked is the number of objects of a kind for which it is checked that decoding gives them back.
	checked = 200
	// mostShared bounds the groups and the labels that are remembered.
	mostShared = 4096
)

// New returns a packer.
func New(o Options) *Packer {
	return &Packer{
		options: o, lexicon: newLexicon(o.Compression), recent: recent{most: o.Decoded},
		kinds: map[kindKey]*kindState{}, groups: map[groupKey]*group{}, labels: map[string]map[string]string{},
	}
}

// KeepDecoded has all objects stay decoded: whoever reads one gets the one that others got. It is called before objects are packed.
func (p *Packer) KeepDecoded() { p.recent.most = 0 }

// Stats describe the packed objects of an informer.
type Stats struct {
	// Decoded is how many objects are decoded now, because they were used last.
	Decoded int
	// Decodes counts the objects that were decoded to be read.
	Decodes int64
	// Whole counts the objects that could not be packed.
	Whole int64
	// Dictionaries counts the dictionaries that were made.
	Dictionaries int
	// Bytes is about how much memory is in use besides the packed objects.
	Bytes int
}

// Stats returns numbers as of now.
func (p *Packer) Stats() Stats {
	decoded, size := p.recent.size()
	s := Stats{Decoded: decoded, Decodes: p.decodes.Load(), Whole: p.whole.Load(), Bytes: size + p.lexicon.size() + p.near.size()}
	p.lexicon.mu.Lock()
	s.Dictionaries = p.lexicon.made
	p.lexicon.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for key := range p.groups {
		s.Bytes += groupSize + len(key.namespace)
	}
	for text, labels := range p.labels {
		s.Bytes += groupSize + len(text) + footprint.Size(labels)
	}
	return s
}

// Pack returns obj, which may be a [*codec.Text], in packed form; the memory of an object stays the decoded form for a while. If stored, which may be nil, is the
// same state of the object in packed form, it returns that. An object that cannot be packed stays decoded in the
// result; err says why. Anything that is not an API object is returned as it is.
func (p *Packer) Pack(obj, stored any) (packed any, err error) {
	if _, already := obj.(*Object); already {
		return obj, nil
	}
	if text, ok := obj.(*codec.Text); ok {
		return p.packText(text, stored)
	}
	object, ok := obj.(runtime.Object)
	if !ok || reflect.TypeOf(obj).Kind() != reflect.Pointer || reflect.ValueOf(obj).IsNil() {
		return obj, nil
	}
	m, ok := obj.(metav1.Object)
	if !ok {
		return obj, nil
	}
	key := p.keyOf(reflect.TypeOf(obj), codec.IsSecret(object))
	if _, untyped := object.(*unstructured.Unstructured); !untyped {
		key.gvk = object.GetObjectKind().GroupVersionKind()
	}
	k := p.kindOf(key)
	name := m.GetName()
	o := &Object{in: p.groupOf(&k.kind, m.GetNamespace(), m.GetLabels()), name: uint32(len(name))}
	o.decoded.Store(&opened{obj})
	err = k.err
	if err == nil {
		err = p.pack(o, k, object, name)
	}
	if err != nil {
		p.whole.Add(1)
		o.packed, o.by = strings.Clone(name), nil
		return o, err
	}
	if known, ok := stored.(*Object); ok && Same(known, o) {
		return known, nil
	}
	p.recent.add(o)
	return o, nil
}

// packText is Pack for an object that was not decoded.
func (p *Packer) packText(text *codec.Text, stored any) (packed any, err error) {
	k := p.kindOf(p.keyOf(text.Type(), codec.IsSecretType(text.Type())))
	if k.err != nil || !k.form.TakesTexts() {
		object, err := text.Decode()
		if err != nil {
			return nil, err
		}
		return p.Pack(object, stored)
	}
	o := &Object{in: p.groupOfText(&k.kind, text), name: uint32(len(text.Name))}
	p.compress(o, text.Name, text.Message)
	if known, ok := stored.(*Object); ok && Same(known, o) {
		return known, nil
	}
	return o, nil
}

// pack sets the packed text.
func (p *Packer) pack(o *Object, k *kindState, object runtime.Object, name string) error {
	text, err := k.form.Encode(object)
	if err != nil {
		return err
	}
	if err := p.check(k, object, text); err != nil {
		return err
	}
	p.compress(o, name, text)
	return nil
}

// compress sets the packed text.
func (p *Packer) compress(o *Object, name string, text []byte) {
	o.by = p.lexicon.plain
	if !o.in.kind.secret {
		o.by = p.lexicon.choose(text)
	}
	s := takeScratch()
	defer s.put(o.in.kind.secret)
	s.b = append(s.b, name...)
	if alike := p.packAlike(o, s.b, text); alike != nil {
		s.b = alike
		o.packed = string(s.b)
		return
	}
	s.b = o.by.Pack(s.b, text)
	o.packed = string(s.b)
	p.lexicon.packed(o.by, len(text), len(s.b)-len(name))
	if o.by.learned && o.in.like.Load() == nil {
		o.in.like.CompareAndSwap(nil, o.like())
	}
}

// check checks that decoding gives back an object, if that is not sure.
func (p *Packer) check(k *kindState, object runtime.Object, text []byte) error {
	if k.form.IsSure() {
		p.mu.Lock()
		k.unknown--
		known := k.unknown < 0
		p.mu.Unlock()
		if known {
			return nil
		}
	}
	again, err := k.decode(text)
	if err != nil {
		return fmt.Errorf("cannot decode what was encoded: %w", err)
	}
	if !equality.Semantic.DeepEqual(object, again) {
		return fmt.Errorf("decoding the encoded %T does not give it back", object)
	}
	return nil
}

// keyOf returns the key of objects of a type.
func (p *Packer) keyOf(object reflect.Type, secret bool) kindKey {
	metadata := object == reflect.TypeFor[*metav1.PartialObjectMetadata]()
	return kindKey{object: object, secret: p.options.Secret || metadata && p.options.SecretMetadata || secret}
}

// kindOf returns the kind of a key.
func (p *Packer) kindOf(key kindKey) *kindState {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.kinds[key]
	if k == nil {
		k = &kindState{kind: kind{packer: p, object: key.object, gvk: key.gvk, secret: key.secret}, unknown: checked}
		k.form, k.err = codec.FormOf(key.object)
		p.kinds[key] = k
	}
	return k
}

// groupSize is about how many bytes a group takes in a map, with its likeness and without its texts; labels take less.
const groupSize = 48 + 64 + 96

// groupOf returns the group of objects of a kind.
func (p *Packer) groupOf(k *kind, namespace string, labels map[string]string) *group {
	s := takeScratch()
	defer s.put(k.secret)
	s.b = appendLabels(s.b, labels)
	return p.group(k, namespace, s.b, func() map[string]string { return labels })
}

// groupOfText is groupOf for an object that was not decoded.
func (p *Packer) groupOfText(k *kind, text *codec.Text) *group {
	s := takeScratch()
	defer s.put(k.secret)
	s.b = append(append(s.b, 0), text.RawLabels()...) // no key of a label begins like that
	return p.group(k, text.Namespace, s.b, text.GetLabels)
}

// group returns a group, in memory of its own: strings of a decoded object may be parts of one block. Text identifies labels.
func (p *Packer) group(k *kind, namespace string, text []byte, labels func() map[string]string) *group {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.groups[groupKey{k, namespace, string(text)}]; known != nil {
		return known
	}
	g := &group{kind: k, namespace: strings.Clone(namespace), labels: p.labels[string(text)]}
	by := string(text)
	if g.labels == nil || k.secret {
		g.labels = cloned(labels())
	}
	if k.secret && g.labels != nil {
		return g
	}
	if len(p.groups) >= mostShared {
		clear(p.groups)
	}
	if len(p.labels) >= mostShared {
		clear(p.labels)
	}
	p.groups[groupKey{k, g.namespace, by}] = g
	if g.labels != nil {
		p.labels[by] = g.labels
	}
	return g
}

// cloned returns labels in memory of their own.
func cloned(labels map[string]string) map[string]string {
	if len(labels) == 0 {
		return nil
	}
	own := make(map[string]string, len(labels))
	for key, value := range labels {
		own[strings.Clone(key)] = strings.Clone(value)
	}
	return own
}

// appendLabels appends a text that only equal labels have. Sorting the keys of maps of a few labels is all that takes time.
func appendLabels(to []byte, labels map[string]string) []byte {
	keys := make([]string, 0, 16)
	for key := range labels {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		to = append(append(append(append(to, key...), 0), labels[key]...), 0)
	}
	return to
}

// unpack returns the text, which is valid until free is called.
func (o *Object) unpack() (text []byte, free func(), err error) {
	s := takeScratch()
	secret := o.in.kind.secret
	s.b = append(s.b, o.packed[o.name:]...)
	unpacked, err := o.by.unpack(s.b, s.b)
	if err != nil {
		s.put(secret)
		return nil, nil, err
	}
	n := len(s.b)
	s.b = unpacked
	return s.b[n:], func() { s.put(secret) }, nil
}

// scratch is memory for one text.
type scratch struct{ b []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// mostScratch is the size up to which memory is used again.
const mostScratch = 1 << 20

func takeScratch() *scratch { return scratches.Get().(*scratch) }

// put returns memory for the next text.
func (s *scratch) put(secret bool) {
	if secret {
		clear(s.b[:cap(s.b)])
	}
	if cap(s.b) <= mostScratch {
		s.b = s.b[:0]
		scratches.Put(s)
	}
}
