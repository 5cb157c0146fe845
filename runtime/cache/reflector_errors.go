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
)

// ErrSilent is that a list or a watch was silent for longer than it may be, so that the
// connection is taken for broken.
var ErrSilent = errors.New("connection is silent")

// ErrRewound reports that a watch returned an event or a bookmark with an older resource
// version than the server had reached before. The server was restored from a backup, or
// another one answers at its address, and what it returned before does not hold any more.
var ErrRewound = errors.New("resource version went back")

var (
	// errIncomplete is that a watch ended before all objects were there.
	errIncomplete = errors.New("watch ended before it had told of all objects")
	// errNotInTime is that not all objects were there in time.
	errNotInTime = errors.New("watch did not tell of all objects in time")
)

// silentError says for how long nothing came.
type silentError struct{ after time.Duration }

func (e *silentError) Error() string { return fmt.Sprintf("nothing came for %v", e.after) }

func (e *silentError) Is(target error) bool { return target == ErrSilent }

// rewoundError tells from which version to which.
type rewoundError struct{ from, to string }

func (e *rewoundError) Error() string {
	return fmt.Sprintf("%v from %s to %s: the server was restored, or is another one", ErrRewound, e.from, e.to)
}

func (e *rewoundError) Is(target error) bool { return target == ErrRewound }

// VeryShortWatchError is that a watch ended within a second, without an event.
type VeryShortWatchError struct {
	// Name is the reflector's.
	Name string
}

// Error implements error.
func (e *VeryShortWatchError) Error() string {
	return fmt.Sprintf("very short watch: %s: watch ended within a second and told of nothing", e.Name)
}

// WatchErrorHandler is called when objects cannot be listed or a watch cannot be begun,
// before the reflector waits and tries again. It should return soon.
type WatchErrorHandler func(r *Reflector, err error)

// WatchErrorHandlerWithContext is a [WatchErrorHandler] with a context, which is that of
// the reflector and has its logger.
type WatchErrorHandlerWithContext func(ctx context.Context, r *Reflector, err error)

// DefaultWatchErrorHandler logs the error, at a level that fits: what is normal in the
// life of a watch is hardly worth a word.
func DefaultWatchErrorHandler(ctx context.Context, r *Reflector, err error) {
	logger := klog.FromContext(ctx)
	switch {
	case isExpired(err):
		logger.V(4).Info("Watch closed", "reflector", r.name, "type", r.typeDescription, "err", err)
	case errors.Is(err, io.EOF):
		// The watch ended as watches do.
	case errors.Is(err, io.ErrUnexpectedEOF):
		logger.V(1).Info("Watch cut off", "reflector", r.name, "type", r.typeDescription, "err", err)
	default:
		utilruntime.HandleErrorWithContext(ctx, err, "Failed to watch", "reflector", r.name, "type", r.typeDescription)
	}
}

// isExpired says whether the server does not know the resource version any more.
func isExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// isTooLarge says whether the server does not know the resource version yet.
func isTooLarge(err error) bool {
	if apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		return true
	}
	// Servers before 1.18.6 say it in words.
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

// isRetriable says whether a request can simply be made again, later.
func isRetriable(err error) bool {
	return utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err)
}

// isRefused says whether the server will not answer such a request at any time.
func isRefused(err error) bool {
	return apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) || apierrors.IsMethodNotSupported(err) ||
		apierrors.IsNotAcceptable(err) || apierrors.IsUnsupportedMediaType(err)
}
