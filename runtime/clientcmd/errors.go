package clientcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/listwatch/listwatch/runtime/compat"
)

var (
	// ErrNoContext reports that no context was named and there is no current one.
	ErrNoContext = errors.New("no context chosen")
	// ErrEmptyConfig reports that there is no configuration of a cluster.
	ErrEmptyConfig = NewEmptyConfigError("no configuration has been provided, try setting KUBERNETES_MASTER environment variable")
	// ErrEmptyCluster reports a cluster without any settings.
	ErrEmptyCluster = errors.New("cluster has no server defined")
)

// NewEmptyConfigError returns an error with the given message that IsEmptyConfig recognizes.
func NewEmptyConfigError(message string) error {
	return &emptyConfigError{message}
}

type emptyConfigError struct{ message string }

func (e *emptyConfigError) Error() string { return e.message }

// contextNotFoundError reports that a named context does not exist.
type contextNotFoundError struct{ name string }

func (e *contextNotFoundError) Error() string {
	return "context was not found for specified context: " + e.name
}

// IsContextNotFound reports whether err, or an error that it wraps or describes, is that a context does not exist
// or that none was chosen.
func IsContextNotFound(err error) bool {
	if err == nil {
		return false
	}
	var notFound *contextNotFoundError
	return errors.As(err, &notFound) || errors.Is(err, ErrNoContext) ||
		strings.Contains(err.Error(), "context was not found for specified context")
}

// IsEmptyConfig reports whether err is only that there is no configuration of a cluster.
func IsEmptyConfig(err error) bool {
	var invalid *invalidError
	if errors.As(err, &invalid) {
		if len(invalid.errs) != 1 {
			return false
		}
		err = invalid.errs[0]
	}
	var empty *emptyConfigError
	return errors.As(err, &empty)
}

// IsConfigurationInvalid reports whether err is an error of Validate or ConfirmUsable.
func IsConfigurationInvalid(err error) bool {
	var invalid *invalidError
	return errors.As(err, &invalid) || IsContextNotFound(err)
}

// place is where a fault is.
type place struct {
	context string
	files   []string
}

func (p *place) addFile(file string) {
	if file != "" && !slices.Contains(p.files, file) {
		p.files = append(p.files, file)
	}
}

// suffix returns p for the end of an error's text, nothing if [compat.IsClientGo].
func (p place) suffix() string {
	if compat.IsClientGo() {
		return ""
	}
	var parts []string
	if p.context != "" {
		parts = append(parts, fmt.Sprintf("context %q", p.context))
	}
	switch len(p.files) {
	case 0:
	case 1:
		parts = append(parts, "file "+p.files[0])
	default:
		parts = append(parts, "files "+strings.Join(p.files, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// invalidError contains the faults of a config, at least one.
type invalidError struct {
	errs []error
	at   place
}

var _ utilerrors.Aggregate = &invalidError{}

// newInvalidError returns nil if errs is empty.
func newInvalidError(errs []error, at place) error {
	if len(errs) == 0 {
		return nil
	}
	return &invalidError{errs: errs, at: at}
}

func (e *invalidError) Error() string {
	return fmt.Sprintf("invalid configuration: %v%s", utilerrors.NewAggregate(e.errs), e.at.suffix())
}

// Errors returns the faults.
func (e *invalidError) Errors() []error { return e.errs }

// Is reports whether one of the faults is target.
func (e *invalidError) Is(target error) bool {
	return slices.ContainsFunc(e.errs, func(err error) bool { return errors.Is(err, target) })
}

// Unwrap returns the faults.
func (e *invalidError) Unwrap() []error { return e.errs }
