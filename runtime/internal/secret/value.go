package secret

import (
	"encoding/json"
	"fmt"
	"log/slog"
)

// Mark replaces a credential.
const Mark = "--- REDACTED ---"

// Value hides a T. The zero Value hides nothing. A Value can be copied, but not compared
// with ==; it is safe for concurrent use as far as T is.
type Value[T any] struct {
	reveal func() T
}

// String hides a text.
type String = Value[string]

// Of hides v, whatever it is.
func Of[T any](v T) Value[T] {
	return Value[T]{reveal: func() T { return v }}
}

// New hides s; the result is zero if s is empty.
func New(s string) String {
	if s == "" {
		return String{}
	}
	return Of(s)
}

// IsZero reports whether v hides nothing.
func (v Value[T]) IsZero() bool {
	return v.reveal == nil
}

// Reveal returns the hidden value, or the zero T of a zero Value.
func (v Value[T]) Reveal() T {
	if v.reveal == nil {
		var zero T
		return zero
	}
	return v.reveal()
}

// String returns Mark, or nothing for a zero Value.
func (v Value[T]) String() string {
	if v.reveal == nil {
		return ""
	}
	return Mark
}

// GoString returns the same as String.
func (v Value[T]) GoString() string { return v.String() }

// Format prints the same as String for every verb.
func (v Value[T]) Format(state fmt.State, verb rune) { Format(state, verb, v.String()) }

// MarshalText returns the same as String.
func (v Value[T]) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// MarshalJSON returns the same as String.
func (v Value[T]) MarshalJSON() ([]byte, error) { return json.Marshal(v.String()) }

// MarshalLog returns the same as String, for logr.
func (v Value[T]) MarshalLog() any { return v.String() }

// LogValue returns the same as String, for log/slog.
func (v Value[T]) LogValue() slog.Value { return slog.StringValue(v.String()) }
