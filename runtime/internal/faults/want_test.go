package faults_test

import (
	"errors"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

// want reports whether an error is the expected one. nil expects none.
type want func(error) bool

// is expects an error for which errors.Is finds the target.
func is(target error) want {
	return func(err error) bool { return errors.Is(err, target) }
}

// isA expects an error in which errors.As finds the type.
func isA[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// and expects an error that satisfies both.
func (w want) and(other want) want {
	return func(err error) bool { return w(err) && other(err) }
}

// code expects the server's error, with its code and reason.
func code(code int32, reason metav1.StatusReason) want {
	return func(err error) bool {
		var status apierrors.APIStatus
		return errors.As(err, &status) && status.Status().Code == code && status.Status().Reason == reason
	}
}

// retryAfter expects an error that suggests a delay in seconds.
func retryAfter(seconds int) want {
	return func(err error) bool {
		got, ok := apierrors.SuggestsClientDelay(err)
		return ok && got == seconds
	}
}

// text expects an error that contains a text.
func text(part string) want {
	return func(err error) bool { return strings.Contains(err.Error(), part) }
}

var (
	// lost is the error of an incomplete body.
	lost want = func(err error) bool {
		// It must not be reported as an error of the object that was being read.
		return isA[*rest.BodyError](err) && isA[*url.Error](err) && !isA[*codec.Error](err)
	}
	// undecodable is the error for an object that cannot be decoded.
	undecodable want = func(err error) bool {
		return isA[*codec.Error](err) && isA[*url.Error](err) && !isA[*rest.BodyError](err)
	}
	// strange is the error for a response that is not from a Kubernetes API.
	strange want = func(err error) bool { return isA[*url.Error](err) && !isA[*codec.Error](err) }
	// broken is the last event of a watch that cannot be read further.
	broken = code(500, metav1.StatusReasonInternalError).and(func(err error) bool {
		return apierrors.HasStatusCause(err, "ClientWatchDecoding")
	})
	// noDocument is discovery's error for a response that is not a discovery document.
	noDocument = text("response is not a discovery document")
)
