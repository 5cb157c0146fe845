// Package util contains what recorders of both event APIs use: [GenerateEventName] names events,
// [ValidateEventType] and [IsKeyNotFoundError] check types and errors.
package util

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// ValidateEventType reports whether eventtype is Normal or Warning.
func ValidateEventType(eventtype string) bool {
	return eventtype == corev1.EventTypeNormal || eventtype == corev1.EventTypeWarning
}

// IsKeyNotFoundError reports whether err is, or wraps, a response of status 404.
func IsKeyNotFoundError(err error) bool {
	var status *apierrors.StatusError
	return errors.As(err, &status) && status.Status().Code == http.StatusNotFound
}

// GenerateEventName returns a name for an event about the object named refName: that name, a dot, and a time in
// nanoseconds since 1970 in hexadecimal. If that is not a valid name of an event, which is a DNS subdomain of
// at most 253 bytes, the result is 32 random hexadecimal digits.
func GenerateEventName(refName string, unixNano int64) string {
	name := refName + "." + strconv.FormatInt(unixNano, 16)
	if isSubdomain(name) {
		return name
	}
	var random [16]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

// maxSubdomain is the maximum length of a DNS subdomain (RFC 1123).
const maxSubdomain = 253

// isSubdomain reports whether name consists of labels that are separated by dots, have lowercase letters, digits
// and hyphens, and neither begin nor end with a hyphen.
func isSubdomain(name string) bool {
	if len(name) > maxSubdomain {
		return false
	}
	before := byte('.')
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c == '-' && before != '.':
		case c == '.' && before != '.' && before != '-':
		default:
			return false
		}
		before = c
	}
	return before != '.' && before != '-'
}
