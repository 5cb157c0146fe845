package typed

import "fmt"

// Reason is why a request cannot be made by a typed client.
type Reason string

// The reasons. Reasons that say what a request has of its own come after those that say what
// it is about.
const (
	// NoResource is for discovery, health, versions and the like.
	NoResource Reason = "it is not about a resource"
	// NoClient is for resources that the clientset has no client of.
	NoClient Reason = "the clientset has no client of the resource"
	// NoMethod is for verbs and subresources that the client has no method for.
	NoMethod Reason = "the client has no method for the verb and subresource"
	// Path is for paths that clients do not write, and names that contradict the body.
	Path Reason = "the path is not the one of the client"
	// Query is for parameters that options do not have, and values that they cannot take.
	Query Reason = "the parameters are not those of the options"
	// Header is for headers of their own, and for media types that the client does not send
	// or ask for.
	Header Reason = "the headers are not those of the client"
	// Body is for bodies that are no value of the kind's Go type.
	Body Reason = "the body is not one of the Go type"
)

// Inexpressible is the error for a request that a typed client cannot make.
type Inexpressible struct {
	Reason Reason
	Detail string
}

// Error implements error.
func (e *Inexpressible) Error() string { return fmt.Sprintf("%s: %s", e.Reason, e.Detail) }

func inexpressible(reason Reason, format string, args ...any) error {
	return &Inexpressible{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}
