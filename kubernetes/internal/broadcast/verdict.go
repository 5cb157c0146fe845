package broadcast

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/rest"
)

// MaxTries is the number of attempts to write an event.
const MaxTries = 12

// Final reports whether an attempt to write an event need not be repeated, because the server rejected the event
// or because there can be no request for it; it logs why. Otherwise the server was not reached, or its response
// was not understood. Keys and values describe the event in the log.
func Final(logger klog.Logger, err error, event ...any) bool {
	var construction *rest.RequestConstructionError
	var status *apierrors.StatusError
	switch {
	case errors.As(err, &construction):
		logger.Error(err, "Unable to construct event (will not retry!)", event...)
		return true
	case errors.As(err, &status):
		if apierrors.IsAlreadyExists(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
			logger.V(5).Info("Server rejected event (will not retry!)", append(event, "err", err)...)
		} else {
			logger.Error(err, "Server rejected event (will not retry!)", event...)
		}
		return true
	}
	logger.Error(err, "Unable to write event (may retry after sleeping)", event...)
	return false
}
