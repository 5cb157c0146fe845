package cache

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// SyncResult is the result of waiting for the informers of a factory to sync. An informer that has
// synced may not have called its handlers for all objects: see [ResourceEventHandlerRegistration].
type SyncResult struct {
	// Err is nil if all informers have synced, otherwise the cause of the context's end.
	Err error

	// Synced reports by object type whether the informer has synced.
	Synced map[reflect.Type]bool

	// Causes contains by object type why the informer has not synced, if that is known. It
	// may be nil.
	Causes map[reflect.Type]error
}

// AsError returns nil if all informers have synced, otherwise an error that names the informers
// that have not, with the causes. It wraps Err and the causes.
func (r SyncResult) AsError() error {
	if r.Err == nil {
		return nil
	}
	var unsynced []string
	var args []any
	for _, t := range slices.SortedFunc(maps.Keys(r.Synced), compareTypes) {
		if r.Synced[t] {
			continue
		}
		if cause := r.Causes[t]; cause != nil {
			unsynced = append(unsynced, "%s (%w)")
			args = append(args, t, cause)
		} else {
			unsynced = append(unsynced, "%s")
			args = append(args, t)
		}
	}
	format := "failed to sync all caches: " + strings.Join(unsynced, ", ") + ": %w"
	return fmt.Errorf(format, append(args, r.Err)...)
}

func compareTypes(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) }
