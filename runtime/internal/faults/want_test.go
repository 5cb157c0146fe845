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

// want reports whether an error is the one that is wanted. nil wants none.
type want func(error) bool

// is wants an error of which errors.Is finds the target.
func is(target error) want {
	return func(err error) bool { return errors.Is(err, target) }
}

// isA wants an error of which errors.As finds the type.
func isA[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// and wants an error that both want.
func (w want) and(other want) want {
	return func(err error) bool { return w(err) && other(err) }
}

// code wants an answer's refusal, by its code and reason.
func code(code int32, reason metav1.StatusReason) want {
	return func(err error) bool {
		var status apierrors.APIStatus
		return errors.As(err, &status) && status.Status().Code == code && status.Status().Reason == reason
	}
}

// retryAfter wants an error that tells to wait for some seconds.
func retryAfter(seconds int) want {
	return func(err error) bool {
		got, ok := apierrors.SuggestsClientDelay(err)
		return ok && got == seconds
	}
}

// text wants an error that has a text.
func text(part string) want {
	return func(err error) bool { return strings.Contains(err.Error(), part) }
}

var (
	// lost is the error where a body broke off.
	lost want = func(err error) bool {
		// That is no fault of the object that happened to be read.
		return isA[*rest.BodyError](err) && isA[*url.Error](err) && !isA[*codec.Error](err)
	}
	// undecodable is the error where an object cannot be decoded.
	undecodable want = func(err error) bool {
		return isA[*codec.Error](err) && isA[*url.Error](err) && !isA[*rest.BodyError](err)
	}
	// strange is the error where an answer is none of an API.
	strange want = func(err error) bool { return isA[*url.Error](err) && !isA[*codec.Error](err) }
	// broken is the last event of a watch that cannot be read on.
	broken = code(500, metav1.StatusReasonInternalError).and(func(err error) bool {
		return apierrors.HasStatusCause(err, "ClientWatchDecoding")
	})
	// noDocument is the error of discovery where an answer is nothing like it.
	noDocument = text("response is not a discovery document")
)
