package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/compat"
)

// ErrNoProgress reports that a list or a watch was silent for too long, so that its connection
// counts as broken.
var ErrNoProgress = errors.New("connection is silent")

// ErrRewound reports that a watch returned an event or a bookmark with an older resource
// version than the server had reached before. The server was restored from a backup, or
// replaced by another one, and what it returned before is no longer valid.
var ErrRewound = errors.New("resource version went back")

var (
	// errIncomplete reports that a watch ended before all objects were received.
	errIncomplete = errors.New("watch ended before all initial objects were received")
	// errNotInTime reports that not all objects were received in time.
	errNotInTime = errors.New("watch did not return all initial objects in time")
)

// silentError reports for how long nothing was received.
type silentError struct{ after time.Duration }

func (e *silentError) Error() string { return fmt.Sprintf("nothing received for %v", e.after) }

func (e *silentError) Is(target error) bool { return target == ErrNoProgress }

// rewoundError reports from which version to which.
type rewoundError struct{ from, to string }

func (e *rewoundError) Error() string {
	return fmt.Sprintf("%v from %s to %s: the server was restored, or is another one", ErrRewound, e.from, e.to)
}

func (e *rewoundError) Is(target error) bool { return target == ErrRewound }

// VeryShortWatchError reports that a watch ended within a second, without an event.
type VeryShortWatchError struct {
	// Name is the reflector's.
	Name string
}

// Error implements error.
func (e *VeryShortWatchError) Error() string {
	return fmt.Sprintf("very short watch: %s: Unexpected watch close - watch lasted less than a second and no items received", e.Name)
}

// WatchErrorHandler is called when a list fails or a watch cannot be started, before the
// reflector waits and retries. It should return soon.
type WatchErrorHandler func(r *Reflector, err error)

// WatchErrorHandlerWithContext is a [WatchErrorHandler] with the reflector's context, which has
// its logger.
type WatchErrorHandlerWithContext func(ctx context.Context, r *Reflector, err error)

// DefaultWatchErrorHandler logs the error. Normal ends of watches are logged at a high
// verbosity only: if [compat.IsClientGo], those that are io.EOF and io.ErrUnexpectedEOF themselves.
func DefaultWatchErrorHandler(ctx context.Context, r *Reflector, err error) {
	logger := klog.FromContext(ctx)
	is := errors.Is
	if compat.IsClientGo() {
		is = func(err, target error) bool { return err == target } //nolint:errorlint // as documented
	}
	switch {
	case isExpired(err):
		logger.V(4).Info("Watch closed", "reflector", r.name, "type", r.typeDescription, "err", err)
	case is(err, io.EOF):
		// a normal end of a watch
	case is(err, io.ErrUnexpectedEOF):
		logger.V(1).Info("Watch cut off", "reflector", r.name, "type", r.typeDescription, "err", err)
	default:
		utilruntime.HandleErrorWithContext(ctx, err, "Failed to watch", "reflector", r.name, "type", r.typeDescription)
	}
}

// isExpired reports whether the server no longer has the resource version.
func isExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// isTooLarge reports whether the server has not reached the resource version yet.
func isTooLarge(err error) bool {
	if apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		return true
	}
	// Servers before 1.18.6 only have a message.
	const words = "Too large resource version"
	var status apierrors.APIStatus
	if !apierrors.IsTimeout(err) || !errors.As(err, &status) {
		return false
	}
	s := status.Status()
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			if cause.Message == words {
				return true
			}
		}
	}
	return strings.Contains(s.Message, words)
}

// isRetriable reports whether a request can simply be repeated later.
func isRetriable(err error) bool {
	return utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err)
}

// isRefused reports whether the server will never accept such a request.
func isRefused(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsMethodNotSupported(err) ||
		apierrors.IsNotAcceptable(err) || apierrors.IsUnsupportedMediaType(err)
}
