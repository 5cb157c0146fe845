package typed

import "fmt"

// Reason is the reason why a typed client cannot send a request.
type Reason string

// The reasons. Reasons about the details of a request come after those about its target.
const (
	// NoResource is for discovery, health, versions and the like.
	NoResource Reason = "it is not about a resource"
	// NoClient is for resources for which the clientset has no client.
	NoClient Reason = "the clientset has no client of the resource"
	// NoMethod is for verbs and subresources for which the client has no method.
	NoMethod Reason = "the client has no method for the verb and subresource"
	// Path is for paths that clients do not use, and names that contradict the body.
	Path Reason = "the path is not the one of the client"
	// Query is for parameters that options do not have, and values that they cannot have.
	Query Reason = "the parameters are not those of the options"
	// Header is for additional headers, and for media types that the client does not send or
	// accept.
	Header Reason = "the headers are not those of the client"
	// Body is for bodies that are not a value of the kind's Go type.
	Body Reason = "the body is not one of the Go type"
)

// Inexpressible reports that a typed client cannot send a request.
type Inexpressible struct {
	Reason Reason
	Detail string
}

// Error implements error.
func (e *Inexpressible) Error() string { return fmt.Sprintf("%s: %s", e.Reason, e.Detail) }

func inexpressible(reason Reason, format string, args ...any) error {
	return &Inexpressible{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}
