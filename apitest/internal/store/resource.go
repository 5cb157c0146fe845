package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
)

const (
	// root is the prefix of all keys of a kube-apiserver; errors contain it.
	root = "/registry"
	// maxValue is the size of an encoded object, in bytes, that etcd rejects by default, minus its
	// own overhead.
	maxValue = 3 << 19
)

// Resource is a registry's view of a table. It implements storage.Interface and is safe for
// concurrent use.
type Resource struct {
	table   *table
	name    schema.GroupResource
	codec   runtime.Codec
	prefix  string // of all keys; it begins and ends with "/"
	newFunc func() runtime.Object
	attrs   storage.AttrFunc

	versioner storage.APIObjectVersioner
	closed    atomic.Bool // no watch can begin any more
	sized     atomic.Bool // Stats returns sizes
	suspects  suspects
}

var _ storage.Interface = (*Resource)(nil)

func newResource(t *table, name schema.GroupResource, codec runtime.Codec, prefix string, newFunc func() runtime.Object, attrs storage.AttrFunc) *Resource {
	return &Resource{table: t, name: name, codec: codec, prefix: prefix, newFunc: newFunc, attrs: attrs}
}

// close ends the resource's watches after the delivery of all events so far. Its table stays.
func (r *Resource) close() {
	r.closed.Store(true)
	r.table.eachWatch(func(w *watcher) {
		if w.resource == r {
			w.end()
		}
	})
}

// key checks a key, or, for recursive reads, the prefix of keys.
func (r *Resource) key(key string, recursive bool) (string, error) {
	key, err := storage.PrepareKey(r.prefix, key, recursive)
	if err == nil && !strings.HasPrefix(key, "/") {
		key = "/" + key
	}
	return key, err
}

// Versioner implements storage.Interface.
func (r *Resource) Versioner() storage.Versioner { return r.versioner }

// Create implements storage.Interface.
func (r *Resource) Create(ctx context.Context, key string, obj, out runtime.Object, ttl uint64) error {
	key, err := r.key(key, false)
	if err != nil {
		return err
	}
	if version, versionErr := r.versioner.ObjectResourceVersion(obj); versionErr == nil && version != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	r.setCreated(obj)
	value, err := r.encode(obj)
	if err != nil {
		return err
	}
	rec, ok, err := r.commit(ctx, change{key: key, value: value, expires: r.after(ttl)})
	switch {
	case err != nil:
		return err
	case !ok:
		return storage.NewKeyExistsError(root+key, 0)
	}
	count(ctx, key)
	if out == nil {
		return nil
	}
	return r.written(rec, out)
}

// commit makes a change, after the time that a write takes.
func (r *Resource) commit(ctx context.Context, c change) (rec *record, ok bool, err error) {
	if pace := r.table.backend.pace; pace > 0 {
		select {
		case <-time.After(pace):
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	rec, ok = r.table.commit(c)
	return rec, ok, nil
}

// Get implements storage.Interface.
func (r *Resource) Get(_ context.Context, key string, opts storage.GetOptions, out runtime.Object) error {
	key, err := r.key(key, false)
	if err != nil {
		return err
	}
	wanted, err := r.versioner.ParseResourceVersion(opts.ResourceVersion)
	if err != nil {
		return err
	}
	rec, version := r.table.get(key)
	switch {
	case wanted > version:
		return tooLarge(wanted, version)
	case rec != nil:
		if err := r.decodeInto(rec, out); err != nil {
			return storage.NewCorruptObjError(key, err)
		}
		return nil
	case opts.IgnoreNotFound:
		return runtime.SetZeroValue(out)
	default:
		return storage.NewKeyNotFoundError(root+key, 0)
	}
}

// Delete implements storage.Interface. It ignores the cached object.
func (r *Resource) Delete(ctx context.Context, key string, out runtime.Object, preconditions *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, opts storage.DeleteOptions) error {
	key, err := r.key(key, false)
	if err != nil {
		return err
	}
	for old, _ := r.table.get(key); ; {
		if old == nil {
			return storage.NewKeyNotFoundError(root+key, 0)
		}
		obj, err := r.decodeCopy(old)
		switch unreadable := err != nil; {
		case unreadable && opts.ExpectTransformOrDecodeError:
			obj = out
		case unreadable:
			return err
		case opts.ExpectTransformOrDecodeError:
			return storage.NewInvalidObjError(root+key, "unsafe deletion is not allowed because the object is decodable from storage")
		}
		if err = preconditions.Check(root+key, obj); err != nil {
			return err
		}
		if err = validate(ctx, obj); err != nil {
			return err
		}
		rec, ok, err := r.commit(ctx, change{key: key, old: old})
		switch {
		case err != nil:
			return err
		case ok && opts.ExpectTransformOrDecodeError:
			count(ctx, key)
			return nil
		case ok:
			count(ctx, key)
			return r.decodeInto(rec, out)
		}
		old = rec
	}
}

// GuaranteedUpdate implements storage.Interface. It ignores the cached object.
func (r *Resource) GuaranteedUpdate(ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, update storage.UpdateFunc, _ runtime.Object) error {
	key, err := r.key(key, false)
	if err != nil {
		return err
	}
	for old, _ := r.table.get(key); ; {
		obj, meta, err := r.current(key, old, ignoreNotFound, out)
		if err != nil {
			return err
		}
		if err = preconditions.Check(root+key, obj); err != nil {
			return err
		}
		updated, ttl, err := update(obj, meta)
		if err != nil {
			return err
		}
		if old == nil {
			r.setCreated(updated)
		} else {
			r.setDeleted(old, updated)
		}
		value, err := r.encode(updated)
		if err != nil {
			return err
		}
		if old != nil && string(value) == string(old.value) {
			if now, _ := r.table.get(key); now != old {
				old = now
				continue
			}
			return r.decodeInto(old, out)
		}
		c := change{key: key, old: old, value: value}
		if ttl != nil {
			c.expires = r.after(*ttl)
		}
		rec, ok, err := r.commit(ctx, c)
		switch {
		case err != nil:
			return err
		case ok:
			count(ctx, key)
			return r.written(rec, out)
		}
		old = rec
	}
}

// current returns the state before an update. If there is no object, it may be an empty one of
// out's type.
func (r *Resource) current(key string, old *record, ignoreNotFound bool, out runtime.Object) (runtime.Object, storage.ResponseMeta, error) {
	if old != nil {
		obj, err := r.decodeOnce(old)
		return obj, storage.ResponseMeta{ResourceVersion: old.version}, err
	}
	if !ignoreNotFound {
		return nil, storage.ResponseMeta{}, storage.NewKeyNotFoundError(root+key, 0)
	}
	return emptyLike(out), storage.ResponseMeta{}, nil
}

func emptyLike(obj runtime.Object) runtime.Object {
	if u, ok := obj.(runtime.Unstructured); ok {
		return u.NewEmptyInstance()
	}
	return reflect.New(reflect.TypeOf(obj).Elem()).Interface().(runtime.Object)
}

// after returns the time in ttl seconds; for 0 it returns zero, which means never.
func (r *Resource) after(ttl uint64) time.Time {
	if ttl == 0 {
		return time.Time{}
	}
	return r.table.backend.clock.Now().Add(time.Duration(ttl) * time.Second)
}

// encode encodes an object for storage and clears its resource version.
func (r *Resource) encode(obj runtime.Object) ([]byte, error) {
	if err := r.versioner.PrepareObjectForStorage(obj); err != nil {
		return nil, fmt.Errorf("PrepareObjectForStorage failed: %w", err)
	}
	value, err := runtime.Encode(r.codec, obj)
	if err != nil {
		return nil, err
	}
	if len(value) > maxValue {
		return nil, rpctypes.ErrRequestTooLarge
	}
	return value, nil
}

// decode returns a record's object. It is shared.
func (r *Resource) decode(rec *record) (*decoded, error) {
	if d := rec.seenBy(r); d != nil {
		return d, nil
	}
	d, err := r.decodeNew(rec)
	if err != nil {
		return nil, err
	}
	return rec.remember(d), nil
}

// decodeNew returns a record's object, which the caller owns. A record that it cannot decode becomes a suspect.
func (r *Resource) decodeNew(rec *record) (*decoded, error) {
	d, err := r.tryDecode(rec)
	if err != nil {
		r.suspects.add(rec.key)
		return nil, undecodable(rec, err)
	}
	return d, nil
}

func (r *Resource) tryDecode(rec *record) (*decoded, error) {
	obj, _, err := r.codec.Decode(rec.value, nil, r.newFunc())
	if err != nil {
		return nil, err
	}
	if err = r.versioner.UpdateObject(obj, rec.version); err != nil {
		return nil, err
	}
	if _, ok := obj.(runtime.Unstructured); !ok {
		// Go types have no kind in storage; whoever encodes them knows it.
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	d := &decoded{resource: r, object: obj}
	if r.attrs != nil {
		if d.labels, d.fields, err = r.attrs(obj); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// decodeCopy returns a copy of a record's object, which the caller owns.
func (r *Resource) decodeCopy(rec *record) (runtime.Object, error) {
	d, err := r.decode(rec)
	if err != nil {
		return nil, err
	}
	return d.object.DeepCopyObject(), nil
}

// decodeOnce is like decodeCopy, but does not cache: the record is about to be replaced, or nobody may ever read it.
func (r *Resource) decodeOnce(rec *record) (runtime.Object, error) {
	if d := rec.seenBy(r); d != nil {
		return d.object.DeepCopyObject(), nil
	}
	d, err := r.decodeNew(rec)
	if err != nil {
		return nil, err
	}
	return d.object, nil
}

// written sets out to the state after a write. It is cached if there are watches, which need it too.
func (r *Resource) written(rec *record, out runtime.Object) error {
	if r.table.watched() {
		return r.decodeInto(rec, out)
	}
	obj, err := r.decodeOnce(rec)
	if err != nil {
		return err
	}
	return set(out, obj)
}

// decodeInto sets out to a copy of a record's object.
func (r *Resource) decodeInto(rec *record, out runtime.Object) error {
	obj, err := r.decodeCopy(rec)
	if err != nil {
		return err
	}
	return set(out, obj)
}

// set sets out to an object, which the caller does not use any more.
func set(out, obj runtime.Object) error {
	to, from := reflect.ValueOf(out), reflect.ValueOf(obj)
	if to.Kind() != reflect.Pointer || to.Type() != from.Type() {
		return fmt.Errorf("unable to convert output object to pointer: %T is not %T", out, obj)
	}
	to.Elem().Set(from.Elem())
	return nil
}

// Stats implements storage.Interface.
func (r *Resource) Stats(context.Context) (storage.Stats, error) {
	var stats storage.Stats
	var bytes int64
	r.table.snapshot().each(r.prefix, "", func(rec *record) bool {
		stats.ObjectCount++
		bytes += int64(len(rec.value))
		return true
	})
	if r.sized.Load() && stats.ObjectCount > 0 {
		stats.EstimatedAverageObjectSizeBytes = bytes / stats.ObjectCount
	}
	return stats, nil
}

// EnableResourceSizeEstimation implements storage.Interface.
func (r *Resource) EnableResourceSizeEstimation(keys storage.KeysFunc) error {
	if keys == nil {
		return errors.New("KeysFunc cannot be nil")
	}
	if r.sized.Swap(true) {
		return errors.New("resourceSizeEstimator already enabled")
	}
	return nil
}

// ReadinessCheck implements storage.Interface. It is always ready.
func (r *Resource) ReadinessCheck() error { return nil }

// RequestWatchProgress implements storage.Interface. Watches are always up to date.
func (r *Resource) RequestWatchProgress(context.Context) error { return nil }

// GetCurrentResourceVersion implements storage.Interface.
func (r *Resource) GetCurrentResourceVersion(context.Context) (uint64, error) {
	return r.table.backend.ResourceVersion(), nil
}

// CompactRevision implements storage.Interface. It is 0 until something is discarded.
func (r *Resource) CompactRevision() int64 {
	r.table.mu.RLock()
	defer r.table.mu.RUnlock()
	return int64(r.table.floor)
}
