package store

import (
	"bytes"
	"io"
	"sync"
	"weak"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// shared is the object of an event that several watches send: it is encoded once in each form. It
// is safe for concurrent use.
type shared struct {
	object runtime.Object // never changed

	mu    sync.Mutex // guards forms, but not their contents
	forms map[runtime.Identifier]*form
}

// form is an encoded object.
type form struct {
	once sync.Once
	data []byte
	err  error
}

var (
	_ runtime.CacheableObject   = (*shared)(nil)
	_ metav1.ObjectMetaAccessor = (*shared)(nil)
)

// share returns the object for events. Callers share it while it is in use.
func (d *decoded) share() *shared {
	for {
		old := d.event.Load()
		if old != nil {
			if s := old.Value(); s != nil {
				return s
			}
		}
		s := &shared{object: d.object, forms: map[runtime.Identifier]*form{}}
		made := weak.Make(s)
		if d.event.CompareAndSwap(old, &made) {
			return s
		}
	}
}

// CacheEncode implements runtime.CacheableObject.
func (s *shared) CacheEncode(id runtime.Identifier, encode func(runtime.Object, io.Writer) error, w io.Writer) error {
	s.mu.Lock()
	f := s.forms[id]
	if f == nil {
		f = &form{}
		s.forms[id] = f
	}
	s.mu.Unlock()
	f.once.Do(func() {
		var data bytes.Buffer
		// Encoders temporarily set an object's kind, hence the copy.
		f.err = encode(s.GetObject(), &data)
		f.data = data.Bytes()
	})
	if f.err != nil {
		return f.err
	}
	_, err := w.Write(f.data)
	return err
}

// GetObject implements runtime.CacheableObject. The caller owns the copy.
func (s *shared) GetObject() runtime.Object { return s.object.DeepCopyObject() }

// DeepCopyObject implements runtime.Object.
func (s *shared) DeepCopyObject() runtime.Object { return s.GetObject() }

// GetObjectMeta implements metav1.ObjectMetaAccessor. Changes of the metadata are lost.
func (s *shared) GetObjectMeta() metav1.Object {
	accessor, err := meta.Accessor(s.GetObject())
	if err != nil {
		return nil
	}
	return accessor
}

// GetObjectKind implements runtime.Object. Changes of the kind are lost.
func (s *shared) GetObjectKind() schema.ObjectKind {
	gvk := s.object.GetObjectKind().GroupVersionKind()
	return &kind{gvk}
}

// kind is a copy of an object's kind.
type kind struct{ gvk schema.GroupVersionKind }

func (k *kind) SetGroupVersionKind(gvk schema.GroupVersionKind) { k.gvk = gvk }

func (k *kind) GroupVersionKind() schema.GroupVersionKind { return k.gvk }
