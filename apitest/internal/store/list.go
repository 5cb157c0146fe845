package store

import (
	"context"
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// GetList implements storage.Interface. The objects in the list share their maps and slices with
// other readers.
func (r *Resource) GetList(ctx context.Context, key string, opts storage.ListOptions, list runtime.Object) error {
	prefix, err := r.key(key, opts.Recursive)
	if err != nil {
		return err
	}
	items, err := itemsOf(list)
	if err != nil {
		return err
	}
	q, err := r.query(prefix, opts)
	if err != nil {
		return err
	}
	p := page{resource: r, predicate: opts.Predicate, limit: opts.Predicate.Limit}
	if opts.ResourceVersion == "0" && q.cached {
		p.limit = 0 // a server's watch cache returns everything
	}
	if opts.Recursive {
		q.snapshot.each(prefix, q.start, func(rec *record) bool { return p.add(ctx, rec) })
	} else if rec := q.snapshot.get(prefix); rec != nil {
		p.add(ctx, rec)
	}
	if q.snapshot.expired() {
		return q.expired
	}
	if p.err != nil {
		return p.err
	}
	if err = p.unreadable.err(r.name); err != nil {
		return err
	}
	from := prefix
	if q.cached {
		from = key // without the slash at its end
	}
	next, remaining, err := storage.PrepareContinueToken(p.last, from, int64(q.snapshot.version), p.seen, p.more, opts)
	if err != nil {
		return err
	}
	items.Set(reflect.MakeSlice(items.Type(), len(p.objects), len(p.objects)))
	for i, obj := range p.objects {
		items.Index(i).Set(reflect.ValueOf(obj).Elem())
	}
	if err := r.versioner.UpdateList(list, q.snapshot.version, next, remaining); err != nil {
		return err
	}
	opts.Predicate.SetShardInfoOnList(list)
	return nil
}

// itemsOf returns the items of a list, a settable slice.
func itemsOf(list runtime.Object) (reflect.Value, error) {
	pointer, err := meta.GetItemsPtr(list)
	if err != nil {
		return reflect.Value{}, err
	}
	items, err := conversion.EnforcePtr(pointer)
	if err != nil || items.Kind() != reflect.Slice {
		return reflect.Value{}, fmt.Errorf("need a pointer to slice, got %T", pointer)
	}
	return items, nil
}

// query describes what a list reads.
type query struct {
	snapshot snapshot
	start    string // the first key
	expired  error  // the error if the snapshot is too old
	cached   bool   // a server reads the list from its watch cache
}

// query determines what a list must read.
func (r *Resource) query(prefix string, opts storage.ListOptions) (query, error) {
	if _, _, err := storage.ValidateListOptions(r.prefix, r.versioner, opts); err != nil {
		return query{}, err
	}
	q := query{snapshot: r.table.snapshot(), expired: listExpired()}
	wanted, err := r.versioner.ParseResourceVersion(opts.ResourceVersion)
	if err != nil {
		return query{}, err
	}
	exact := opts.ResourceVersionMatch == metav1.ResourceVersionMatchExact
	if opts.ResourceVersionMatch == "" && opts.Recursive {
		switch {
		case opts.Predicate.Continue != "":
			start, version, err := storage.DecodeContinue(opts.Predicate.Continue, prefix)
			if err != nil {
				return query{}, apierrors.NewBadRequest(fmt.Sprintf("invalid continue token: %v", err))
			}
			q.start = start
			if version > 0 {
				exact, wanted = true, uint64(version)
				q.expired = pageExpired(start, prefix)
			}
		case opts.Predicate.Limit > 0 && wanted > 0:
			exact = true
		}
	}
	if q.cached = r.table.cached; q.cached {
		if err := r.unready(); err != nil {
			if !exact && !isPage(opts.Predicate) {
				return query{}, err
			}
			q.cached = false
		}
	}
	if now := q.snapshot.version; wanted > now {
		if exact && !opts.Recursive {
			// Such a request reaches etcd, whose error suggests no delay.
			return query{}, storage.NewTooLargeResourceVersionError(wanted, now, 0)
		}
		return query{}, tooLarge(wanted, now)
	}
	if exact && wanted < q.snapshot.version {
		q.snapshot = q.snapshot.as(wanted)
		if q.snapshot.expired() {
			return query{}, q.expired
		}
	}
	return q, nil
}

// isPage reports whether a list has a limit and no selectors. A server reads such lists from its storage as long as its
// watch cache is not filled.
func isPage(p storage.SelectionPredicate) bool {
	return p.Limit > 0 && (p.Label == nil || p.Label.Empty()) && (p.Field == nil || p.Field.Empty())
}

// page collects the objects of a list.
type page struct {
	resource  *Resource
	predicate storage.SelectionPredicate
	limit     int64 // 0 means none

	objects []runtime.Object
	last    string // key of the last object in the page
	more    bool   // there are keys after last
	seen    int64  // number of keys, up to the end of the resource
	err     error

	unreadable unreadable
}

// add adds a record if it matches, and reports whether to continue.
func (p *page) add(ctx context.Context, rec *record) bool {
	p.seen++
	if p.limit > 0 && int64(len(p.objects)) >= p.limit {
		p.more = true
		return p.predicate.Empty() // if it is empty, the rest is counted
	}
	if p.err = ctx.Err(); p.err != nil {
		p.err = storage.NewTimeoutError(root+rec.key, "request did not complete within requested timeout")
		return false
	}
	d, err := p.resource.decode(rec)
	if err != nil {
		return p.unreadable.add(rec, err)
	}
	matches, err := d.matches(&p.predicate)
	if err != nil {
		p.err = err
		return false
	}
	if matches {
		p.objects = append(p.objects, d.object)
		p.last = rec.key
	}
	return true
}

// matches reports whether a predicate selects the object.
func (d *decoded) matches(p *storage.SelectionPredicate) (bool, error) {
	if p.Empty() {
		return true, nil
	}
	if p.ShardSelector != nil {
		if ok, err := p.MatchesSharding(d.object); err != nil || !ok {
			return false, err
		}
	}
	return p.MatchesObjectAttributes(d.labels, d.fields), nil
}
