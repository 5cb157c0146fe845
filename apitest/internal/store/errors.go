package store

import (
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// retrySeconds is the delay after which clients shall retry a request for a resource version that
// is not known yet.
const retrySeconds = 1

func tooLarge(wanted, version uint64) error {
	return storage.NewTooLargeResourceVersionError(wanted, version, retrySeconds)
}

func watchExpired(wanted, floor uint64) error {
	return apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", wanted, floor))
}

func listExpired() error {
	return apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
}

// pageExpired returns an error with a token that continues at the current state.
func pageExpired(next, prefix string) error {
	const message = "The provided continue parameter is too old to display a consistent list result. " +
		"You can start a new list without the continue parameter, or use the continue token in this response " +
		"to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent " +
		"list - objects that were created, modified, or deleted between the time the first chunk was returned " +
		"and now may show up in the list."
	token, err := storage.EncodeContinue(next, prefix, -1)
	if err != nil {
		return apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent " +
			"list result. You can start a new list without the continue parameter.")
	}
	expired := apierrors.NewResourceExpired(message)
	expired.ErrStatus.Continue = token
	return expired
}

// errorEvent returns the event with which a watch reports an error.
func errorEvent(err error) watch.Event {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		return watch.Event{Type: watch.Error, Object: &s}
	}
	return watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status:  metav1.StatusFailure,
		Message: err.Error(),
		Reason:  metav1.StatusReasonInternalError,
		Code:    http.StatusInternalServerError,
	}}
}
