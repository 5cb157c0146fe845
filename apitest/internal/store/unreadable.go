package store

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/storage"
)

// undecodable returns the error of a record whose object a resource cannot decode, because its version is not served
// any more, or because a webhook does not convert it.
func undecodable(rec *record, err error) error {
	return fmt.Errorf("object not decodable revision=%d: %w", rec.version, err)
}

// maxUnreadable is the number of objects that cannot be read after which a list ends.
const maxUnreadable = 100

var errTruncated = errors.New("too many errors, the list is truncated")

// unreadable are the objects that a list cannot read.
type unreadable struct{ errs []error }

// add adds an object, and reports whether the list goes on.
func (u *unreadable) add(rec *record, err error) bool {
	u.errs = append(u.errs, storage.NewCorruptObjError(root+rec.key, err))
	return len(u.errs) < maxUnreadable
}

// err returns the error of a list, or nil if it has read all objects.
func (u *unreadable) err(resource schema.GroupResource) error {
	if len(u.errs) == 0 {
		return nil
	}
	details := &metav1.StatusDetails{Group: resource.Group, Kind: resource.Resource, Name: "list"}
	for _, err := range u.errs {
		var corrupt *storage.StorageError
		if errors.As(err, &corrupt) {
			details.Causes = append(details.Causes, metav1.StatusCause{
				Type: metav1.CauseTypeUnexpectedServerResponse, Field: corrupt.Key, Message: corrupt.Error(),
			})
		}
	}
	if len(u.errs) == maxUnreadable {
		details.Causes = append(details.Causes, metav1.StatusCause{Type: metav1.CauseTypeTooMany, Message: errTruncated.Error()})
	}
	message := fmt.Sprintf("failed to read one or more %s from the storage: %v", resource, u.errs[0])
	if more := len(u.errs) - 1; more > 0 {
		message = fmt.Sprintf("%s (and %d more)", message, more)
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonStoreReadError,
		Message: message, Details: details,
	}}
}

// suspects are the keys of the objects that a resource could not decode when it last tried.
type suspects struct {
	first sync.Once // all objects are examined before the first list or watch

	mu   sync.Mutex // guards keys
	keys map[string]struct{}
}

func (s *suspects) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil {
		s.keys = map[string]struct{}{}
	}
	s.keys[key] = struct{}{}
}

func (s *suspects) remove(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, key)
}

func (s *suspects) sorted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.keys))
}

// unready returns the error of a server whose watch cache cannot be filled, since an object of the resource cannot be
// read. It is nil if all can be read.
func (r *Resource) unready() error {
	r.suspects.first.Do(func() { r.examine(r.table.snapshot()) })
	keys := r.suspects.sorted()
	if len(keys) == 0 {
		return nil
	}
	s := r.table.snapshot() // after the keys, so that it has their objects unless they are deleted
	var u unreadable
	for _, key := range keys {
		rec := s.get(key)
		if rec == nil {
			r.suspects.remove(key)
			continue
		}
		_, err := r.decode(rec)
		if err == nil {
			r.suspects.remove(key)
		} else if !u.add(rec, err) {
			break
		}
	}
	if err := u.err(r.name); err != nil {
		return apierrors.NewTooManyRequests(fmt.Sprintf("storage is (re)initializing: failed to list <unspecified>: %v", err), retrySeconds)
	}
	return nil
}

// examine decodes the objects that may be undecodable: custom resources that are stored in another version.
func (r *Resource) examine(s snapshot) {
	example := r.newFunc()
	if _, ok := example.(runtime.Unstructured); !ok {
		return
	}
	same := fmt.Appendf(nil, `{"apiVersion":%q,`, example.GetObjectKind().GroupVersionKind().GroupVersion())
	s.each(r.prefix, "", func(rec *record) bool {
		if !bytes.HasPrefix(rec.value, same) {
			_, _ = r.decode(rec) // which adds it to the suspects
		}
		return true
	})
}
