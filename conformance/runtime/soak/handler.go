package soak

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// handler records the last state of each object that it received, and the calls that do not follow
// from earlier ones.
type handler struct {
	registration cache.ResourceEventHandlerRegistration
	pause        time.Duration // occasionally, for a slow one

	mu    sync.Mutex // guards the fields below
	told  states
	calls int
	wrong []string
}

func (h *handler) added(book *libraryv1.Book) {
	defer h.called()()
	if told, known := h.told[cache.MetaObjectToName(book)]; known {
		h.wrong = append(h.wrong, fmt.Sprintf("%s is added at %s, and was at %s", book.Name, book.ResourceVersion, told))
	}
	h.told.set(book)
}

func (h *handler) updated(before, book *libraryv1.Book) {
	defer h.called()()
	if told := h.told[cache.MetaObjectToName(book)]; told != before.ResourceVersion || told == book.ResourceVersion {
		h.wrong = append(h.wrong, fmt.Sprintf("%s goes from %s to %s, and was at %q", book.Name, before.ResourceVersion, book.ResourceVersion, told))
	}
	h.told.set(book)
}

func (h *handler) deleted(book cache.DeletedObject[*libraryv1.Book]) {
	defer h.called()()
	name := book.GetObjectName()
	if _, known := h.told[name]; !known {
		h.wrong = append(h.wrong, fmt.Sprintf("%s is deleted, and was not there", name))
	}
	delete(h.told, name)
}

// called locks h, and returns a function that unlocks it. It makes a slow handler fall behind:
// every hundredth call takes longer.
func (h *handler) called() (done func()) {
	h.mu.Lock()
	h.calls++
	slow := h.pause > 0 && h.calls%100 == 0
	return func() {
		h.mu.Unlock()
		if slow {
			time.Sleep(h.pause)
		}
	}
}

// knows reports whether book's state is the last one that the handler received.
func (h *handler) knows(book *libraryv1.Book) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.told[cache.MetaObjectToName(book)] == book.ResourceVersion
}

// compare returns an error if the final states are not as expected, or the calls were inconsistent.
func (h *handler) compare(name string, want states) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	errs := []error{h.told.compare(name, want)}
	if !h.registration.HasSynced() {
		errs = append(errs, fmt.Errorf("%s has not synced", name))
	}
	if len(h.wrong) > 0 {
		errs = append(errs, fmt.Errorf("%s: %d calls are wrong, the first: %s", name, len(h.wrong), h.wrong[0]))
	}
	return errors.Join(errs...)
}
